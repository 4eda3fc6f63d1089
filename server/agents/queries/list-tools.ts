import { pool } from "@/server/db";
import { type ToolServerOffer, toolsOf } from "@/server/tool-servers/rules";
import { TOOLS } from "@/server/tools/catalog";
import { hasSideEffect } from "@/server/tools/tool";
import type { Reader } from "@/server/transaction";
import type { WorkspaceId } from "@/server/workspaces/scope";
import type { ToolChoice } from "../schema";

/** Whatever an agent may name among its tools. */
export type WorkspaceTool = ToolChoice & {
  /** Cannot be published with. A test that failed only once does not forbid it: the server may be back by then. */
  isOff: boolean;
};

const TITLES = new Map([["docs__search", "Search Troupe's own documentation"]]);

const ASK_PERSON: WorkspaceTool = {
  name: "user__ask",
  source: "built-in",
  title: "Ask a person",
  description:
    "Asks a question and waits: with a choice of answers, for a yes or no, for free text, or with several answers to tick. The question appears on the start page and in the run.",
  writes: false,
  policy: null,
  problem: null,
  isOff: false,
};

/** Built-in tools first, then those of tool servers by server and in the server's order. */
export async function listTools(workspaceId: WorkspaceId, reader: Reader = pool()): Promise<WorkspaceTool[]> {
  const { rows } = await reader.query<ToolServerOffer>(
    "SELECT name, tools, effects, policies, enabled, check_error FROM tool_servers WHERE workspace_id = $1 ORDER BY name",
    [workspaceId],
  );
  return [...builtIn(), ...rows.flatMap(offeredBy)];
}

function builtIn(): WorkspaceTool[] {
  const tools = [...TOOLS.values()].map((tool) => ({
    name: tool.name,
    source: "built-in",
    title: TITLES.get(tool.name) ?? tool.name,
    description: tool.description,
    writes: hasSideEffect(tool),
    policy: null,
    problem: null,
    isOff: false,
  }));
  return [...tools, ASK_PERSON];
}

function offeredBy(server: ToolServerOffer): WorkspaceTool[] {
  return toolsOf(server).map(({ fullName, title, description, writes, policy, problem }) => ({
    name: fullName,
    source: server.name,
    title,
    description,
    writes,
    policy,
    problem,
    isOff: !server.enabled,
  }));
}
