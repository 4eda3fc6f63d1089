import { closeDb, db } from "@/server/db";
import { provenWorkspace } from "@/server/workspaces/scope";
import { aMember, aWorkspace } from "./factories";
import { aSampleTeam, insertSampleRun, SAMPLE_STATES } from "./sample-run";

/** One sample run of each state in the first workspace of DATABASE_URL, which must not have the demo: both name a Searcher. */
const first = await db().workspace.findFirst({ orderBy: { createdAt: "asc" } });
const workspaceId = first ? provenWorkspace(first.id) : await aWorkspace(db(), "Sample workspace");
const member = await db().member.findFirst({ where: { workspaceId }, orderBy: { createdAt: "asc" } });
const startedById = member?.userId ?? (await aMember(db(), workspaceId)).userId;

const version = await db().teamVersion.findFirst({
  where: { workspaceId, team: { name: "Handbook desk" } },
  include: { nodes: { include: { agentVersion: { include: { agent: true } } }, orderBy: { position: "asc" } } },
});
const nodes = version?.nodes.map((node) => ({
  parentId: node.parentId,
  teamNodeId: node.id,
  agentVersionId: node.agentVersionId,
  name: node.agentVersion.agent.name,
}));
const root = nodes?.find((node) => node.parentId === null);
const team =
  version && root
    ? {
        teamId: version.teamId,
        teamVersionId: version.id,
        root,
        children: nodes?.filter((node) => node.parentId !== null) ?? [],
      }
    : await aSampleTeam(db(), workspaceId);

for (const state of SAMPLE_STATES) {
  const runId = await insertSampleRun(db(), { workspaceId, team, startedById, state });
  console.log(`${state}: run ${runId}`);
}
await closeDb();
