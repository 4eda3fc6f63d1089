import { v7 as uuid } from "uuid";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "@/server/db";
import { DEFAULT_PATTERN_SETTINGS, isCarriedOut, patternSettings } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import { TEAM_PATTERNS, type TeamDraft, type TeamPlace } from "@/server/teams/schema";
import { TOOLS } from "@/server/tools/catalog";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { call, collectAll, spawn } from "@/tests/support/engine-scripts";
import { anAgent } from "@/tests/support/factories";
import type { ChatRequest, Script } from "@/tests/support/scripted-model";

const place = (agentId: string, ...children: TeamPlace[]): TeamPlace => ({ agentId, purpose: null, children });

describe.each(DATABASE_KINDS)("the preview of a team on the %s database", (kind) => {
  const desk = useDesk(kind);
  beforeAll(() => {
    for (const [name, tool] of TOOLS) desk().tools.set(name, tool);
  });

  test("says what the engine does where no model leads, and what a supervisor further down is told", async () => {
    const { workspaceId } = desk().scope;
    const config = { canSpawnAgents: true };
    const [lead, middle, leaf] = await Promise.all(
      ["Desk", "Middle of a pipeline", "Leaf of a pipeline"].map((name) =>
        anAgent(db(), workspaceId, { name, ...config }),
      ),
    );
    const below = place(middle?.agentId ?? "", place(leaf?.agentId ?? ""));
    const { problems, supervisors } = await callerOf(desk().scope).teams.preview({
      name: "Unsaved pipeline",
      draft: {
        ...{
          description: "",
          pattern: "pipeline",
          example: "",
          patternSettings: DEFAULT_PATTERN_SETTINGS,
          alsoAllowed: [],
          limits: DEFAULT_RUN_LIMITS,
        },
        root: place(lead?.agentId ?? "", below, place(leaf?.agentId ?? "")),
      },
    });
    expect(problems).toEqual([]);
    expect(supervisors).toMatchObject([
      {
        ...{ path: "", name: "Desk", system: "", tools: [], characters: 0 },
        instead:
          "Desk is not asked how to go on: the engine leads. It gives the task to Middle of a pipeline, then Leaf of a pipeline; each also gets the result of the one before it, and the last result is the answer.",
      },
      { path: "0", instead: null, system: expect.stringContaining("split the task into parts") },
    ]);
  });

  test("says what becomes of the results of a broadcast", async () => {
    const { workspaceId } = desk().scope;
    const [lead, one, two] = await Promise.all(
      ["Caller", "Called one", "Called two"].map((name) => anAgent(db(), workspaceId, { name })),
    );
    const { problems, supervisors } = await callerOf(desk().scope).teams.preview({
      name: "Unsaved broadcast",
      draft: {
        ...{ description: "", pattern: "broadcast", example: "", limits: DEFAULT_RUN_LIMITS },
        patternSettings: patternSettings.parse({ broadcast: { combine: "majority" } }),
        root: place(lead?.agentId ?? "", place(one?.agentId ?? ""), place(two?.agentId ?? "")),
      },
    });
    // It starts nobody itself, so it need not be allowed to.
    expect(problems).toEqual([]);
    expect(supervisors.map(({ instead }) => instead)).toEqual([
      "Caller is not asked how to go on: the engine leads. It gives the task to Called one, Called two at the same time; the most common result is the answer.",
    ]);
  });

  test.each(TEAM_PATTERNS.filter((pattern) => !isCarriedOut({ pattern, patternSettings: DEFAULT_PATTERN_SETTINGS })))(
    "with the pattern %s says word for word what a run sends each supervisor",
    async (pattern) => {
      const { scope } = desk();
      const { teams } = callerOf(scope);
      const agent = async (name: string, config: Parameters<typeof anAgent>[2]) =>
        (await anAgent(db(), scope.workspaceId, { name: `${name} ${pattern}`, ...config })).agentId;
      const lead = await agent("Lead", { canSpawnAgents: true, tools: ["docs__search", "user__ask"] });
      const middle = await agent("Middle", { canSpawnAgents: true, injectSpawnInstructions: false });
      const leaf = await agent("Leaf", { tools: ["docs__search"] });
      const draft: TeamDraft = {
        ...{
          description: "",
          pattern,
          example: "",
          patternSettings: DEFAULT_PATTERN_SETTINGS,
          alsoAllowed: [],
          limits: DEFAULT_RUN_LIMITS,
        },
        root: place(lead, { agentId: middle, purpose: "Only in this team.", children: [place(leaf)] }),
      };
      const name = `Desk ${pattern}`;
      const preview = await teams.preview({ name, draft });
      expect(preview.problems).toEqual([]);

      const { teamId } = await teams.create({ name, draft });
      await teams.publish({ teamId, draftRevision: 1 });
      const requests: ChatRequest[] = [];
      const kept =
        (script: Script): Script =>
        (request, at) => {
          if (at.step === 0) requests.push(request);
          return script(request, at);
        };
      // Where the supervisor plans in tasks it starts nobody by hand.
      const starting = (agent: string, prompt: string) =>
        pattern === "tasks" ? call("agent__task_create", { subject: "Deeper", agent, prompt }) : spawn(agent, prompt);
      const words = desk().words("go deeper", kept(turns({ text: "Deep enough." })));
      const runId = await desk().play(
        await runnable(teamId),
        `preview ${pattern}`,
        kept(turns({ calls: [starting(`Middle ${pattern}`, words)] }, collectAll, { text: "Done." })),
      );
      expect(await desk().ended(runId)).toMatchObject({ status: "completed" });

      const sent = requests.map(({ messages, tools }) => ({
        system: messages[0]?.content,
        tools: tools?.map((tool) => ({ name: tool.function.name, description: tool.function.description })),
      }));
      expect(preview.supervisors.map(({ path }) => path)).toEqual(["", "0"]);
      expect(preview.supervisors.map(({ system, tools }) => ({ system, tools }))).toEqual(sent);
      const by = pattern === "tasks" ? "agent__task_create" : "agent__spawn";
      const spawning = preview.supervisors[0]?.tools.find((tool) => tool.name === by);
      expect(spawning?.description).toContain(`- Middle ${pattern}: Only in this team.`);
    },
  );

  async function runnable(teamId: string) {
    const { id, agentVersionId, teamVersionId, agentVersion } = await db().teamNode.findFirstOrThrow({
      where: { teamVersion: { teamId }, parentId: null },
      select: {
        ...{ id: true, agentVersionId: true, teamVersionId: true },
        agentVersion: { select: { agent: { select: { name: true } } } },
      },
    });
    return { teamId, teamVersionId, root: { teamNodeId: id, agentVersionId, name: agentVersion.agent.name } };
  }

  test("leaves out deleted agents, shows a supervisor without agents, and stores nothing", async () => {
    const { scope } = desk();
    const { teams, agents } = callerOf(scope);
    const { agentId: lead } = await anAgent(db(), scope.workspaceId, { name: "Lone lead", canSpawnAgents: true });
    const { agentId: gone } = await anAgent(db(), scope.workspaceId, { name: "Gone" });
    await agents.remove({ agentId: gone });
    const draft: TeamDraft = {
      description: "",
      pattern: "route",
      example: "",
      patternSettings: DEFAULT_PATTERN_SETTINGS,
      alsoAllowed: [],
      limits: DEFAULT_RUN_LIMITS,
      root: place(lead, place(gone)),
    };
    const teamsBefore = await db().team.count();
    const preview = await teams.preview({ name: "Unsaved", draft });
    expect(preview.problems).toMatchObject([{ field: "root.children.0" }]);
    expect(preview.supervisors).toMatchObject([{ path: "", name: "Lone lead", tools: [] }]);
    expect(preview.supervisors[0]?.characters).toBe(preview.supervisors[0]?.system.length);
    expect(JSON.stringify(preview.supervisors)).not.toContain("Gone");
    expect(await teams.preview({ name: "Unsaved", draft: { ...draft, root: null } })).toEqual({
      problems: [{ field: "root", message: "Choose its supervisor." }],
      supervisors: [],
    });
    expect(await db().team.count()).toBe(teamsBefore);
  });

  test("names the tools of tool servers and the knowledge an agent brings along, and nothing that is turned off", async () => {
    const { scope } = desk();
    const { workspaceId } = scope;
    const [baseId, serverId] = [uuid(), uuid()];
    const base = { name: "Handbook", description: "Rules of the house.", dims: 1, settings: {} };
    await db().knowledgeBase.create({ data: { id: baseId, workspaceId, ...base } });
    const tools = [{ name: "read", description: "Reads a file.", inputSchema: { type: "object" } }];
    await db().toolServer.create({ data: { id: serverId, workspaceId, name: "files", transport: "stdio", tools } });
    const config = { tools: ["files__read", "docs__search"], knowledge: [baseId] };
    const { agentId } = await anAgent(db(), workspaceId, { name: "Reader", ...config });
    const ask = async () => {
      const draft: TeamDraft = {
        description: "",
        pattern: "route",
        example: "",
        patternSettings: DEFAULT_PATTERN_SETTINGS,
        alsoAllowed: [],
        limits: DEFAULT_RUN_LIMITS,
        root: place(agentId),
      };
      const { supervisors } = await callerOf(scope).teams.preview({ name: "Readers", draft });
      return supervisors[0]?.tools ?? [];
    };
    const all = await ask();
    expect(all.map(({ name }) => name)).toEqual(["files__read", "docs__search", "knowledge_search"]);
    expect(all[0]?.description).toBe("Reads a file.");
    expect(all[2]?.description).toContain("- Handbook: Rules of the house.");
    await db().toolServer.update({ where: { id: serverId }, data: { enabled: false } });
    expect((await ask()).map(({ name }) => name)).toEqual(["docs__search", "knowledge_search"]);
  });
});
