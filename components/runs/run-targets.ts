import type { RunTarget, StartRunInput } from "@/server/runs/schema";

/** What a run or a conversation is started with. */
export type TargetRef = Pick<RunTarget, "kind" | "id">;

/** One text for both kinds, for selects and addresses. */
export function targetKey({ kind, id }: TargetRef): string {
  return `${kind}:${id}`;
}

/** The part of a start that names the target. */
export function targetInput({ kind, id }: TargetRef): Pick<StartRunInput, "teamId" | "agentId"> {
  return kind === "team" ? { teamId: id } : { agentId: id };
}

export function targetHref({ kind, id }: TargetRef): string {
  return kind === "team" ? `/teams/${id}` : `/agents/${id}`;
}

/** "Supervisor, with Searcher and Writer" for a team, its purpose for an agent. */
export function describeTarget(target: Pick<RunTarget, "purpose" | "agents">): string {
  const [root, ...others] = target.agents;
  if (!root) return target.purpose;
  return others.length === 0 ? root : `${root}, with ${new Intl.ListFormat("en-GB").format(others)}`;
}

/** For selects: teams, then agents. A heading stands only where there are both. */
export function targetOptions(targets: readonly RunTarget[]) {
  const of = (kind: RunTarget["kind"]) =>
    targets
      .filter((target) => target.kind === kind)
      .map((target) => ({ value: targetKey(target), label: target.name }));
  const groups = [
    { group: "Teams", items: of("team") },
    { group: "Agents", items: of("agent") },
  ].filter(({ items }) => items.length > 0);
  return groups.length > 1 ? groups : (groups[0]?.items ?? []);
}
