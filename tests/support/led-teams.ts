import { expect } from "vitest";
import type { AgentConfig } from "@/server/agents/schema";
import { db } from "@/server/db";
import { deriveId } from "@/server/engine/ids";
import type { PatternSettings } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import { storeRun } from "@/server/runs/store-run";
import type { TeamPattern } from "@/server/teams/schema";
import { type Desk, eventually, turns } from "./engine-desk";
import { soundRecord } from "./engine-record";
import { aTeam, type TeamFixture } from "./factories";
import type { ChatRequest, Script } from "./scripted-model";

/** A provider that takes no call of this agent. */
export const REFUSED: Script = () => ({ fault: "status", status: 400, message: "no" });

export const says = (text: string): Script => turns({ text });

type Led = Partial<AgentConfig> & { scripts: Script[]; lead?: Script; patternSettings?: PatternSettings };

/** Teams that the engine leads, at a desk. */
export function ledTeams(desk: () => Desk) {
  /** A team whose agents follow a script each, whatever they are given; the root follows the last. */
  async function aLedTeam(
    pattern: TeamPattern,
    { scripts, lead, tools = [], patternSettings: chosen, ...supervisor }: Led,
  ): Promise<{ team: TeamFixture; names: string[] }> {
    const team = await aTeam(db(), desk().scope.workspaceId, {
      ...(chosen ? { patternSettings: chosen } : {}),
      ...{ pattern, supervisor: { canSpawnAgents: false, ...supervisor } },
      agents: scripts.map(() => ({ tools, canSpawnAgents: false })),
    });
    const names = team.children.map(({ name }) => name);
    const before = desk().fallback;
    desk().fallback = (request, place) => {
      const who = /^You are (.+)\.$/m.exec(request.messages[0]?.content ?? "")?.[1] ?? "";
      if (who === team.root.name && lead) return lead(request, place);
      return (scripts[names.indexOf(who)] ?? before)(request, place);
    };
    return { team, names };
  }

  function start(team: TeamFixture, limits: Partial<RunLimits> = {}, input = "Do it."): Promise<string> {
    return storeRun({
      workspaceId: desk().scope.workspaceId,
      userId: desk().scope.userId,
      teamId: team.teamId,
      teamVersionId: team.teamVersionId,
      root: { nodeId: team.root.teamNodeId, agentVersionId: team.root.agentVersionId, name: team.root.name },
      input,
      model: "scripted",
      limits: { ...DEFAULT_RUN_LIMITS, ...limits },
    });
  }

  /** The last words an agent was given. */
  const given = (request: ChatRequest) => request.messages.findLast(({ role }) => role === "user")?.content ?? "";

  /** Runs the team again and again, each time cut off at the next moment of its root there is, or of any; says how many there were. */
  async function cutEverywhere(
    team: TeamFixture,
    answer: string,
    agents: number,
    { of = "root" }: { of?: "root" | "all" } = {},
  ): Promise<number> {
    for (let nth = 1; ; nth++) {
      const { resources } = desk().executor ?? {};
      if (!resources) throw new Error("nobody executes");
      let seen = 0;
      const started = start(team);
      resources.atFaultPoint = async (_, agentRunId) => {
        const isIts = of === "all" || agentRunId === deriveId(await started, "root");
        if (isIts && ++seen === nth) await new Promise(() => {});
      };
      const runId = await started;
      await eventually(async () =>
        expect(seen >= nth || (await desk().statusOf(runId)).status === "completed").toBe(true),
      );
      const isCut = seen >= nth;
      if (isCut) {
        await desk().shut();
        await desk().open();
      }
      expect(await desk().ended(runId)).toMatchObject({ status: "completed", answer });
      const tree = await soundRecord(desk().scope, runId);
      expect(tree.agents).toHaveLength(agents);
      const kinds = tree.decisions.filter((one) => one.agentRunId === tree.root.id).map((one) => one.kind);
      expect(kinds.filter((one) => one === "finish")).toHaveLength(1);
      if (!isCut) return nth - 1;
    }
  }

  return { aLedTeam, start, given, cutEverywhere };
}
