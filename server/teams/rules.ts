import { quoted } from "@/server/agents/rules";
import type { DraftProblem } from "@/server/agents/schema";
import { DEFAULT_PATTERN_SETTINGS, isCarriedOut, type PatternSettings } from "@/server/engine/pattern-settings";
import { DEFAULT_RUN_LIMITS, type RunLimits } from "@/server/engine/run-limits";
import type { TeamDraft, TeamPlace } from "./schema";

/** What of an agent a team is judged by: its newest published version, or its draft while it has none. */
export type AgentFacts = {
  id: string;
  name: string;
  /** Newest published version; null: never published. */
  version: number | null;
  agentVersionId: string | null;
  isDeleted: boolean;
  purpose: string;
  canSpawnAgents: boolean;
  maxAgentDepth: number;
};
export type AgentsById = ReadonlyMap<string, AgentFacts>;

const MOST_PLACES = 200;
/** Agents below a root that the engine leads: with one there is nothing to lead. */
const FEWEST_LED = 2;

export const EMPTY_DRAFT: TeamDraft = {
  description: "",
  pattern: "coordinate",
  example: "",
  patternSettings: DEFAULT_PATTERN_SETTINGS,
  limits: DEFAULT_RUN_LIMITS,
  root: null,
  alsoAllowed: [],
};

/** A place with where it is: `path` is "" for the root, "0.1" for the second child of its first child. */
export type LocatedPlace = { place: TeamPlace; path: string; ancestors: readonly TeamPlace[] };

/** All places, each before those below it. */
export function placesOf(root: TeamPlace | null): LocatedPlace[] {
  const walk = (place: TeamPlace, path: string, ancestors: readonly TeamPlace[]): LocatedPlace[] => [
    { place, path, ancestors },
    ...place.children.flatMap((child, index) =>
      walk(child, path ? `${path}.${index}` : String(index), [...ancestors, place]),
    ),
  ];
  return root ? walk(root, "", []) : [];
}

/** The place's path among the fields of a draft: "root", "root.children.0.children.1". */
export function fieldOfPlace(path: string): string {
  return ["root", ...(path ? path.split(".").map((index) => `children.${index}`) : [])].join(".");
}

/** What stands in the way of publishing, each beside its place. Saving a draft is always allowed. */
export function teamProblems(draft: TeamDraft, agents: AgentsById): DraftProblem[] {
  if (!draft.root) return [{ field: "root", message: "Choose its supervisor." }];
  const places = placesOf(draft.root);
  const tooMany =
    places.length > MOST_PLACES
      ? [{ field: "root", message: `It has ${places.length} places, and a team may have ${MOST_PLACES}.` }]
      : [];
  const tooFew = isCarriedOut(draft) && draft.root.children.length < FEWEST_LED;
  return [
    ...tooMany,
    ...(tooFew
      ? [
          {
            field: "pattern",
            message: `With the pattern ${draft.pattern}, at least two agents work below the supervisor.`,
          },
        ]
      : []),
    ...places.flatMap((located) => placeProblems(located, agents, draft)),
    ...draft.alsoAllowed
      .flatMap((agentId) => allowedProblems(agents.get(agentId)))
      .map((message) => ({ field: "alsoAllowed", message })),
  ];
}

function allowedProblems(agent: AgentFacts | undefined): string[] {
  if (!agent) return ["An agent that the supervisors may also start does not exist. Take it off the list."];
  if (agent.isDeleted)
    return [`${quoted(agent.name)} was deleted. Take it off the agents that the supervisors may also start.`];
  if (agent.version === null) return [`${agent.name} was never published. Publish it first.`];
  return agent.purpose.trim() ? [] : [`Say in its form what ${agent.name} is for: supervisors choose by it.`];
}

/** Every agent a draft names, once. */
export function agentsNamed({ root, alsoAllowed }: TeamDraft): string[] {
  return [...new Set([...placesOf(root).map(({ place }) => place.agentId), ...alsoAllowed])];
}

/** Whom a supervisor may start beside those below it: of the list, whoever is not below it already and would not work under itself. */
export function alsoStartableBy({ place, ancestors }: LocatedPlace, alsoAllowed: readonly string[]): string[] {
  const near = new Set([place, ...ancestors, ...place.children].map(({ agentId }) => agentId));
  const isSupervisor = ancestors.length === 0 || place.children.length > 0;
  return isSupervisor ? alsoAllowed.filter((agentId) => !near.has(agentId)) : [];
}

function placeProblems(located: LocatedPlace, agents: AgentsById, draft: TeamDraft): DraftProblem[] {
  const field = fieldOfPlace(located.path);
  const agent = agents.get(located.place.agentId);
  if (!agent) return [{ field, message: "This agent does not exist. Choose another." }];
  return [
    ...standingProblems(agent).map((message) => ({ field, message })),
    ...supervisorProblems(located, agent, agents, draft).map((message) => ({ field, message })),
    ...pathProblems(located, agent, agents).map((message) => ({ field, message })),
    ...purposeProblems(located, agent).map((message) => ({ field: `${field}.purpose`, message })),
  ];
}

function standingProblems({ name, isDeleted, version }: AgentFacts): string[] {
  if (isDeleted) return [`${quoted(name)} was deleted. Choose another agent or remove it from the team.`];
  return version === null ? [`${name} was never published. Publish it first.`] : [];
}

function supervisorProblems(
  { place, path }: LocatedPlace,
  agent: AgentFacts,
  agents: AgentsById,
  draft: TeamDraft,
): string[] {
  const startsOthers = place.children.length > 0 || (path === "" && draft.alsoAllowed.length > 0);
  if (!startsOthers) return [];
  const leads = path !== "" || !isCarriedOut(draft);
  const mayNot =
    leads && agent.version !== null && !agent.canSpawnAgents
      ? [`${agent.name} may not start agents: turn on “May lead other agents” under Team in its form, and publish it.`]
      : [];
  const ids = place.children.map(({ agentId }) => agentId);
  const twice = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const repeated = twice.flatMap((id) => agents.get(id)?.name ?? []);
  return [...mayNot, ...repeated.map((name) => `${name} is more than once under ${agent.name}. One place is enough.`)];
}

function pathProblems({ place, ancestors }: LocatedPlace, agent: AgentFacts, agents: AgentsById): string[] {
  const nameOf = ({ agentId }: TeamPlace) => agents.get(agentId)?.name ?? "an unknown agent";
  const first = ancestors.findIndex(({ agentId }) => agentId === place.agentId);
  const cycle = [...ancestors.slice(first), place].map(nameOf).join(" → ");
  const cyclic = first >= 0 ? [`${agent.name} would work under itself: ${cycle}. Remove one of the places.`] : [];

  // The engine asks the one who starts it; the root's limit speaks for the whole team.
  const asked = [ancestors.at(-1), ancestors[0]].flatMap((above) => agents.get(above?.agentId ?? "") ?? []);
  const refuser = asked.find(({ maxAgentDepth }) => ancestors.length > maxAgentDepth);
  const deep = refuser
    ? [
        `${agent.name} is ${ancestors.length} levels down, and ${refuser.name} allows ${refuser.maxAgentDepth}: raise its depth limit or move ${agent.name} up.`,
      ]
    : [];
  return [...cyclic, ...deep];
}

function purposeProblems({ place, ancestors }: LocatedPlace, agent: AgentFacts): string[] {
  if (!ancestors.length || agent.isDeleted || purposeIn(place, agent)) return [];
  return [`Say what ${agent.name} is for: its supervisor chooses by it.`];
}

/** What the supervisor is told the agent is for. */
export function purposeIn(place: TeamPlace, agent: AgentFacts): string {
  return place.purpose?.trim() || agent.purpose.trim();
}

/** A row of the tree of a published version. */
export type PublishedNode = {
  id: string;
  parentId: string | null;
  position: number;
  purpose: string | null;
  agentId: string;
  agentName: string;
  agentVersion: number;
  agentVersionId: string;
};

/** An agent on the list of a published version. */
export type PublishedAllowed = Pick<PublishedNode, "agentId" | "agentName" | "agentVersion" | "agentVersionId">;

/** The tree as a draft holds it. */
export function treeOf(nodes: readonly PublishedNode[]): TeamPlace | null {
  return treeWith(nodes, ({ agentId, purpose }, children: TeamPlace[]) => ({ agentId, purpose, children }));
}

/** A place that names the very version of its agent. */
export type PinnedPlace = { agentVersionId: string; purpose: string | null; children: PinnedPlace[] };

/** The tree as it was published. */
export function pinnedTreeOf(nodes: readonly PublishedNode[]): PinnedPlace | null {
  return treeWith(nodes, ({ agentVersionId, purpose }, children: PinnedPlace[]) => ({
    ...{ agentVersionId, purpose, children },
  }));
}

function treeWith<T>(nodes: readonly PublishedNode[], make: (node: PublishedNode, children: T[]) => T): T | null {
  const below = (parentId: string | null): T[] =>
    nodes
      .filter((node) => node.parentId === parentId)
      .sort((one, other) => one.position - other.position)
      .map((node) => make(node, below(node.id)));
  return below(null)[0] ?? null;
}

/** A draft's tree with the version of each agent. An agent without one throws: teamProblems finds it before. */
export function pinned(place: TeamPlace, agents: AgentsById): PinnedPlace {
  return {
    agentVersionId: pinnedVersion(place.agentId, agents),
    purpose: place.purpose?.trim() || null,
    children: place.children.map((child) => pinned(child, agents)),
  };
}

/** The version of an agent a team would hold. An agent without one throws. */
export function pinnedVersion(agentId: string, agents: AgentsById): string {
  const agentVersionId = agents.get(agentId)?.agentVersionId;
  if (!agentVersionId) throw new Error(`agent ${agentId} has no version to pin`);
  return agentVersionId;
}

/** Whether two drafts say the same. An empty purpose of a place is none. */
export function isSameDraft(one: TeamDraft, other: TeamDraft): boolean {
  const plain = ({ description, pattern, patternSettings, example, limits, root, alsoAllowed }: TeamDraft) =>
    JSON.stringify([
      ...[
        description,
        pattern,
        plainSettings(patternSettings),
        example,
        plainLimits(limits),
        root && plainPlace(root),
        alsoAllowed,
      ],
    ]);
  return plain(one) === plain(other);
}

function plainSettings({ broadcast, debate, handoff }: PatternSettings): unknown[] {
  return [broadcast.combine, broadcast.timeLimitMs, debate.rounds, debate.judge, handoff.maxHandoffs];
}

function plainLimits({ maxCostNanoUsd, maxTokens, askAtRatio, maxActiveMs, stuckAfterMs }: RunLimits): unknown[] {
  return [maxCostNanoUsd, maxTokens, askAtRatio, maxActiveMs, stuckAfterMs];
}

function plainPlace({ agentId, purpose, children }: TeamPlace): unknown[] {
  return [agentId, purpose?.trim() || null, children.map(plainPlace)];
}

/** Names in the order of the tree, root first. */
export function namesIn(root: TeamPlace | null, agents: ReadonlyMap<string, { name: string }>): string[] {
  return placesOf(root).flatMap(({ place }) => agents.get(place.agentId)?.name ?? []);
}
