import { v7 as uuid } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { DEFAULT_PATTERN_SETTINGS } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS } from "@/server/engine/run-limits";
import type { TeamDraft, TeamPlace } from "@/server/teams/schema";
import { callerOf } from "@/tests/support/caller";
import { DATABASE_KINDS } from "@/tests/support/databases";
import { turns, useDesk } from "@/tests/support/engine-desk";
import { soundRecord } from "@/tests/support/engine-record";
import { collectAll, lastResults, spawn } from "@/tests/support/engine-scripts";
import { anAgent } from "@/tests/support/factories";
import type { ChatRequest } from "@/tests/support/scripted-model";

const place = (agentId: string, ...children: TeamPlace[]): TeamPlace => ({ agentId, purpose: null, children });

describe.each(DATABASE_KINDS)("agents that supervisors may also start, on the %s database", (kind) => {
  const desk = useDesk(kind);
  const api = () => callerOf(desk().scope);
  let names: Record<"Lead" | "Middle" | "Leaf" | "Other", string>;
  let ids: typeof names;
  beforeEach(async () => {
    const made = async (word: string, config: Partial<AgentConfig> = {}) => {
      const name = `${word} ${uuid().slice(-6)}`;
      return anAgent(db(), desk().scope.workspaceId, { name, purpose: `Is ${word}.`, ...config });
    };
    const lead = { canSpawnAgents: true };
    const [Lead, Middle, Leaf, Other] = [
      await made("Lead", lead),
      await made("Middle", lead),
      await made("Leaf"),
      // It may lead, and here it has nobody to start.
      await made("Other", lead),
    ];
    names = { Lead: Lead.name, Middle: Middle.name, Leaf: Leaf.name, Other: Other.name };
    ids = { Lead: Lead.agentId, Middle: Middle.agentId, Leaf: Leaf.agentId, Other: Other.agentId };
  });
  const draftOf = (alsoAllowed: string[], also: Partial<TeamDraft> = {}): TeamDraft => ({
    ...{ description: "", pattern: "coordinate", example: "", alsoAllowed },
    ...{ patternSettings: DEFAULT_PATTERN_SETTINGS, limits: DEFAULT_RUN_LIMITS },
    root: place(ids.Lead, place(ids.Middle, place(ids.Leaf))),
    ...also,
  });
  const publishedTeam = async (draft: TeamDraft) => {
    const { teamId } = await api().teams.create({ name: `Team ${uuid().slice(-6)}`, draft });
    await api().teams.publish({ teamId, draftRevision: 1 });
    return teamId;
  };
  const runnable = async (teamId: string) => {
    const { id, agentVersionId, teamVersionId } = await db().teamNode.findFirstOrThrow({
      where: { teamVersion: { teamId }, parentId: null },
      orderBy: { teamVersion: { number: "desc" } },
    });
    return { teamId, teamVersionId, root: { teamNodeId: id, agentVersionId, name: names.Lead } };
  };

  test("each supervisor is told of them as the preview says, and starts them; they start nobody", async () => {
    const draft = draftOf([ids.Other, ids.Leaf, ids.Lead]);
    const preview = await api().teams.preview({ name: "Unsaved", draft });
    expect(preview.problems).toEqual([]);
    const teamId = await publishedTeam(draft);

    const requests = new Map<string, ChatRequest>();
    const keep = (who: string, request: ChatRequest) => void requests.set(who, requests.get(who) ?? request);
    const other = desk().words("other", (request) => {
      keep("other", request);
      return { text: "Other did it." };
    });
    const middle = desk().words("middle", (request, at) => {
      keep("middle", request);
      return turns(
        { calls: [spawn(names.Other, other), spawn(names.Lead, "Round and round.")] },
        collectAll,
        (last) => ({
          text: String(lastResults(last)[0]?.output),
        }),
      )(request, at);
    });
    const runId = await desk().play(await runnable(teamId), "use others", (request, at) => {
      keep("lead", request);
      return turns({ calls: [spawn(names.Middle, middle), spawn(names.Leaf, "leaf")] }, collectAll, { text: "Done." })(
        request,
        at,
      );
    });
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "Done." });
    const { agents, agent } = await soundRecord(desk().scope, runId);
    expect(agents.map(({ name, depth }) => [name, depth]).sort()).toEqual(
      [
        [names.Lead, 0],
        [names.Middle, 1],
        [names.Leaf, 1],
        [names.Other, 2],
      ].sort(),
    );
    expect(agent(names.Other).parentId).toBe(agent(names.Middle).id);

    const offered = (who: string) =>
      requests
        .get(who)
        ?.tools?.flatMap((tool) => (tool.function.name === "agent__spawn" ? tool.function.description : []));
    const told = preview.supervisors.map(({ tools }) =>
      tools.flatMap((tool) => (tool.name === "agent__spawn" ? tool.description : [])),
    );
    expect([offered("lead"), offered("middle")]).toEqual(told);
    const last = (text: string | undefined) => text?.split("\n").slice(1);
    expect(last(offered("lead")?.[0])).toEqual([
      ...[`- ${names.Middle}: Is Middle.`, `- ${names.Other}: Is Other.`, `- ${names.Leaf}: Is Leaf.`],
    ]);
    // Itself it may not start, nor whoever it works under, and none twice.
    expect(last(offered("middle")?.[0])).toEqual([`- ${names.Leaf}: Is Leaf.`, `- ${names.Other}: Is Other.`]);
    expect(offered("other")).toEqual([]);
  });

  test("a version holds them as they were; the team is told of newer ones, and takes them", async () => {
    const teamId = await publishedTeam(draftOf([ids.Other]));
    const { name, draft: config, draftRevision } = await api().agents.get({ agentId: ids.Other });
    const saved = await api().agents.saveDraft({
      ...{ agentId: ids.Other, draftRevision, name, config: { ...config, purpose: "Is new." } },
    });
    await api().agents.publish({ agentId: ids.Other, draftRevision: saved.draftRevision });

    expect((await api().agents.get({ agentId: ids.Other })).teams).toMatchObject([
      { id: teamId, version: 1, isBehind: true },
    ]);
    const held = await api().teams.version({ teamId, number: 1 });
    expect(held.draft.alsoAllowed).toEqual([ids.Other]);
    expect(held.agents.find(({ id }) => id === ids.Other)).toMatchObject({ version: 1 });
    expect((await api().teams.all({ search: "" })).items.find(({ id }) => id === teamId)).toMatchObject({ behind: 1 });
    const seen: string[] = [];
    const look = async () => {
      const runId = await desk().play(await runnable(teamId), "look", (request) => {
        seen.push(request.tools?.find((tool) => tool.function.name === "agent__spawn")?.function.description ?? "");
        return { text: "Seen." };
      });
      await desk().ended(runId);
    };
    await look();
    expect(await api().teams.updateAgents({ teamId })).toMatchObject({ number: 2 });
    await look();
    expect(seen.map((text) => /(?<=Other \w+: ).+/.exec(text)?.[0])).toEqual(["Is Other.", "Is new."]);
  });

  test("one that was deleted meanwhile stands in the way of a run and of publishing, named", async () => {
    const teamId = await publishedTeam(draftOf([ids.Other]));
    await api().agents.remove({ agentId: ids.Other });
    await expect(api().runs.start({ teamId, input: "Go." })).rejects.toThrow(
      `“${names.Other}” was deleted and is still in the team. Take it out of the team and publish the team.`,
    );
    const { problems, draftRevision } = await api().teams.get({ teamId });
    expect(problems).toEqual([
      {
        field: "alsoAllowed",
        message: `“${names.Other}” was deleted. Take it off the agents that the supervisors may also start.`,
      },
    ]);
    await expect(api().teams.publish({ teamId, draftRevision })).rejects.toThrow(names.Other);
    await api().teams.saveDraft({ teamId, draftRevision, name: `Mended ${uuid()}`.slice(0, 40), draft: draftOf([]) });
    expect(await api().teams.publish({ teamId, draftRevision: draftRevision + 1 })).toEqual({ number: 2 });
  });

  test("a root that the engine leads gives its pattern only to those below it", async () => {
    const draft = draftOf([ids.Other], {
      pattern: "pipeline",
      root: place(ids.Lead, place(ids.Middle), place(ids.Leaf)),
    });
    const { supervisors } = await api().teams.preview({ name: "Unsaved", draft });
    expect(supervisors[0]?.instead).not.toContain(names.Other);
    const teamId = await publishedTeam(draft);
    desk().fallback = () => ({ text: "A part." });
    const runId = await desk().start(await runnable(teamId), "Lead them.");
    expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer: "A part." });
    expect((await soundRecord(desk().scope, runId)).agents.map(({ name }) => name)).toEqual([
      ...[names.Lead, names.Middle, names.Leaf],
    ]);
  });
});
