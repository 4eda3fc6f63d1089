import { v7 as uuid } from "uuid";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { db } from "@/server/db";
import { listTeams } from "@/server/teams/queries/list-teams";
import { teamSummary } from "@/server/teams/schema";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { aTeam, aWorkspace } from "@/tests/support/factories";
import { aSampleTeam } from "@/tests/support/sample-run";
import { useDatabase } from "@/tests/support/use-database";

describe.each(DATABASE_KINDS)("the list of teams on the %s database", (kind) => {
  useDatabase(kind);

  test("shows the newest version of each team as a tree in order, root first", async () => {
    const workspaceId = await aWorkspace(db());
    const desk = await aSampleTeam(db(), workspaceId);
    const archived = await aTeam(db(), workspaceId, { name: "Archived" });
    await db().team.update({ where: { id: archived.teamId }, data: { archivedAt: new Date() } });
    await aTeam(db(), await aWorkspace(db()), { name: "Of somebody else" });

    expect(z.array(teamSummary).parse(await listTeams(workspaceId))).toEqual([
      {
        id: desk.teamId,
        name: "Handbook desk",
        description: "Answers questions from the handbook and files a note.",
        version: 1,
        agents: [
          { name: "Desk lead", purpose: "Splits a question among the desk and gives the answer.", depth: 0 },
          { name: "Searcher", purpose: "Finds passages in the handbook.", depth: 1 },
          { name: "Writer", purpose: "Writes notes and files them.", depth: 1 },
        ],
        example: "May a customer return a parcel that arrived damaged? File a note with the answer.",
      },
    ]);

    const second = uuid();
    await db().teamVersion.create({
      data: { id: second, workspaceId, teamId: desk.teamId, number: 2, limits: {} },
    });
    await db().teamNode.create({
      data: {
        id: uuid(),
        workspaceId,
        teamVersionId: second,
        agentVersionId: desk.root.agentVersionId,
        position: 0,
      },
    });
    expect(await listTeams(workspaceId)).toMatchObject([
      { version: 2, agents: [{ name: "Desk lead", depth: 0 }], example: null },
    ]);
  });
});
