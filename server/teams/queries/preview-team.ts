import { pool } from "@/server/db";
import { type Briefed, engineToolSpecs, systemMessage } from "@/server/engine/briefing";
import { isLedByEngine } from "@/server/engine/may-spawn";
import { ledInWords } from "@/server/engine/patterns/in-words";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import type { ToolSpec } from "@/server/models/model";
import { toolbox } from "@/server/tools/toolbox";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { agentsNamed, alsoStartableBy, type LocatedPlace, placesOf, purposeIn, teamProblems } from "../rules";
import type { TeamDraft, TeamPlace, TeamPreview } from "../schema";
import { type KnownAgent, readAgentFacts } from "./read-agent-facts";

/**
 * What each supervisor of a draft would be told if it were published now: computed by the functions that brief an agent
 * in a run, from the newest version of each agent (its draft while it has none). What a run would refuse is left out.
 */
export async function previewTeam(workspaceId: WorkspaceId, draft: TeamDraft): Promise<TeamPreview> {
  const places = placesOf(draft.root);
  const agents = await readAgentFacts(workspaceId, agentsNamed(draft));
  const leading = places.flatMap(({ place, path, ancestors }) => {
    const agent = agents.get(place.agentId);
    const isLeading = place.children.length > 0 || path === "";
    return agent && !agent.isDeleted && isLeading
      ? [{ path, agent, briefed: brief({ place, path, ancestors }, agent, draft, agents) }]
      : [];
  });
  const own = await toolsOf(workspaceId, new Set(leading.map(({ agent }) => agent)));
  return {
    problems: teamProblems(draft, agents),
    supervisors: leading.map(({ path, agent, briefed }) => ({ path, ...told(briefed, own.get(agent.id) ?? []) })),
  };
}

function brief(
  located: LocatedPlace,
  { name, config }: KnownAgent,
  { pattern, patternSettings, alsoAllowed }: TeamDraft,
  agents: ReadonlyMap<string, KnownAgent>,
): Briefed {
  const { place, path, ancestors } = located;
  const isChild = path !== "";
  const isLed = isLedByEngine({ pattern, patternSettings, isChild });
  const also = isLed ? [] : alsoStartableBy(located, alsoAllowed);
  const known = (places: readonly TeamPlace[]) =>
    places.flatMap((each) => {
      const agent = agents.get(each.agentId);
      return agent && !agent.isDeleted ? [{ name: agent.name, purpose: purposeIn(each, agent) }] : [];
    });
  const beside = pattern === "handoff" && ancestors.length === 1 ? (ancestors[0]?.children ?? []) : [];
  return {
    ...{ name, config, pattern, patternSettings },
    spawnable: known([...place.children, ...also.map((agentId) => ({ agentId, purpose: null, children: [] }))]),
    colleagues: known(beside.filter((each) => each !== place)),
    isChild,
  };
}

/** What each brings along besides the engine's own tools, from where a run takes it. */
async function toolsOf(workspaceId: WorkspaceId, agents: ReadonlySet<KnownAgent>): Promise<Map<string, ToolSpec[]>> {
  const find = toolbox(pool());
  const found = [...agents].map(async ({ id, config }) => {
    const names = config.tools.filter((name) => !ENGINE_TOOLS.has(name));
    const { tools } = await find({ workspaceId, runId: "", conversationId: null, names, knowledge: config.knowledge });
    return [
      id,
      [...tools.values()].map(({ name, description, parameters }) => ({ name, description, parameters })),
    ] as const;
  });
  return new Map(await Promise.all(found));
}

function told(briefed: Briefed, own: readonly ToolSpec[]): Omit<TeamPreview["supervisors"][number], "path"> {
  const instead = ledInWords(briefed);
  if (instead !== null) return { name: briefed.name, instead, system: "", tools: [], characters: 0 };
  const system = systemMessage(briefed);
  const tools = [...engineToolSpecs(briefed), ...own];
  const characters = system.length + tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
  return {
    name: briefed.name,
    instead,
    system,
    tools: tools.map(({ name, description }) => ({ name, description })),
    characters,
  };
}
