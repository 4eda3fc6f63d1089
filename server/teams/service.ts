import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Prisma } from "@/prisma/generated/client";
import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";

const teamLimits = z.strictObject({
  /** A first request to try, offered where the team is started. */
  example: z.string().max(2000).optional(),
});
type TeamLimits = z.infer<typeof teamLimits>;

/** A place in the team's tree, and the places below it in order. */
type TeamPlace = { agentVersionId: string; children?: TeamPlace[] };

type CreateTeam = {
  workspaceId: WorkspaceId;
  name: string;
  description: string;
  limits: TeamLimits;
  root: TeamPlace;
};
type PublishTeam = { workspaceId: WorkspaceId; teamId: string; limits: TeamLimits; root: TeamPlace };
type TeamVersionRef = { teamId: string; teamVersionId: string; number: number };

/** Creates a team and publishes it as version 1. Throws CONFLICT for a name in use. */
export async function createPublishedTeam(
  tx: Prisma.TransactionClient,
  { workspaceId, name, description, limits, root }: CreateTeam,
): Promise<TeamVersionRef> {
  const taken = await tx.team.findUnique({ where: { workspaceId_name: { workspaceId, name } }, select: { id: true } });
  if (taken) throw new AppError("CONFLICT", `There is already a team called “${name}”.`);
  const team = await tx.team.create({ data: { id: uuidv7(), workspaceId, name, description }, select: { id: true } });
  return publishTeam(tx, { workspaceId, teamId: team.id, limits, root });
}

/** Publishes a tree as the team's next version. It names agent versions, so later edits of an agent do not change it. */
async function publishTeam(
  tx: Prisma.TransactionClient,
  { workspaceId, teamId, limits, root }: PublishTeam,
): Promise<TeamVersionRef> {
  const newest = await tx.teamVersion.findFirst({
    where: { workspaceId, teamId },
    select: { number: true },
    orderBy: { number: "desc" },
  });
  const number = (newest?.number ?? 0) + 1;
  const version = await tx.teamVersion.create({
    data: { id: uuidv7(), workspaceId, teamId, number, limits: teamLimits.parse(limits) },
    select: { id: true },
  });
  const nodes = nodesOf(root, { workspaceId, teamVersionId: version.id }, { parentId: null, position: 0 });
  await tx.teamNode.createMany({ data: nodes });
  return { teamId, teamVersionId: version.id, number };
}

/** Parents before children, as the foreign key wants them. */
function nodesOf(
  place: TeamPlace,
  owner: { workspaceId: WorkspaceId; teamVersionId: string },
  at: { parentId: string | null; position: number },
): Prisma.TeamNodeCreateManyInput[] {
  const id = uuidv7();
  const below = (place.children ?? []).flatMap((child, position) => nodesOf(child, owner, { parentId: id, position }));
  return [{ id, ...owner, ...at, agentVersionId: place.agentVersionId }, ...below];
}
