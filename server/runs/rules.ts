import { modelsNamed } from "@/server/agents/rules";
import type { AgentConfig } from "@/server/agents/schema";
import { isHeld, isTerminal, type RunStatus } from "@/server/engine/state";
import { serverNameOf, type ToolServerOffer, toolsOf } from "@/server/tool-servers/rules";
import type { Role } from "@/server/workspaces/scope";
import { tagKey } from "./list-schema";

/** An agent at its place in what is to run. */
export type Place = { name: string; isDeleted: boolean; config: AgentConfig };

/** What exists now and may be named by an agent version that was published long ago. */
export type Existing = {
  /** Built-in tools. */
  tools: ReadonlySet<string>;
  toolServers: readonly ToolServerOffer[];
  knowledgeBases: ReadonlySet<string>;
  /** "provider/model" of every chat model. */
  models: ReadonlySet<string>;
};

type Planned = { kind: "team" | "agent"; places: readonly Place[]; model: { ref: string; isChosen: boolean } };

/**
 * Why a run could not work, each in a sentence that names what is missing and what to do (promise 9). Empty: it may
 * start. Whether a tool server answers is found out when it is called; only one that was turned off is refused.
 */
export function whyNotRun({ kind, places, model }: Planned, existing: Existing): string[] {
  const again = kind === "team" ? "publish the agent, then the team" : "publish it";
  const offered = new Set(existing.toolServers.flatMap((server) => toolsOf(server).map((tool) => tool.fullName)));
  const servers = new Map(existing.toolServers.map((server) => [server.name, server]));
  const problems = places.flatMap(({ name, isDeleted, config }) => {
    if (isDeleted) {
      return [
        kind === "team"
          ? `“${name}” was deleted and is still in the team. Take it out of the team and publish the team.`
          : `“${name}” was deleted.`,
      ];
    }
    const found: string[] = [];
    const missing: string[] = [];
    const off = new Set<string>();
    for (const tool of config.tools) {
      if (existing.tools.has(tool)) continue;
      const server = servers.get(serverNameOf(tool) ?? "");
      if (server && !server.enabled) off.add(server.name);
      else if (!offered.has(tool)) missing.push(tool);
    }
    if (missing.length) {
      const words = missing.length === 1 ? "a tool that does not exist here" : "tools that do not exist here";
      found.push(`${name} uses ${words}: ${missing.join(", ")}. Remove it from the agent and ${again}.`);
    }
    for (const server of off) {
      found.push(`${name} uses the tool server “${server}”, which is turned off. Turn it on, or remove its tools.`);
    }
    const gone = config.knowledge.filter((id) => !existing.knowledgeBases.has(id)).length;
    if (gone) {
      const words =
        gone === 1 ? "a knowledge base that no longer exists" : `${gone} knowledge bases that no longer exist`;
      found.push(`${name} searches ${words}. Open the agent, choose its knowledge again and ${again}.`);
    }
    for (const ref of new Set(modelsNamed(config).map((named) => named.ref))) {
      if (existing.models.has(ref)) continue;
      found.push(`${name} uses the model “${ref}”, which is not set up here. Choose another and ${again}.`);
    }
    return found;
  });
  // Only whoever names no model of its own uses the run's.
  const isUsed = places.some(({ config }) => config.model === null);
  if ((isUsed || model.isChosen) && !existing.models.has(model.ref)) {
    problems.push(
      model.isChosen
        ? `The model “${model.ref}” is not set up here. Choose another.`
        : `The workspace's default model “${model.ref}” is not set up here. Choose another under Models.`,
    );
  }
  return problems;
}

/** How vectors of runs are made now. Raise it with any change of the words, their weights or the embedder: old vectors are then made anew. */
export const RUN_VECTOR_VERSION = 1;

export const NO_SUCH_RUN = "There is no such run. Somebody may have removed it.";

/** The sentence for a run that cannot be removed as it stands; null when it can. */
export function whyNotRemove(status: RunStatus): string | null {
  if (isTerminal(status) || isHeld(status)) return null;
  return "Still at work: stop first, then delete.";
}

/** Of tags that are written differently but are the same, the first. */
export function uniqueTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  return [...byKey.values()];
}

/** The sentence for a view that somebody may not change so; null when they may. Whoever shares one changes what others see. */
export function whyNotChangeView(
  role: Role,
  { isMine, isShared }: { isMine: boolean; isShared: boolean },
): string | null {
  const isEditor = role === "owner" || role === "editor";
  if (isEditor || (isMine && !isShared)) return null;
  return "Views shared with the workspace are changed by editors. Save one of your own.";
}

/** The sentence for a link that somebody may not take back; null when they may. */
export function whyNotRevoke(role: Role, { isMine }: { isMine: boolean }): string | null {
  if (isMine || role === "owner" || role === "editor") return null;
  return "Somebody else made this link. Ask them, or an editor, to take it back.";
}
