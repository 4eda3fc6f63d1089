import { z } from "zod";
import { defaultPolicy, type ToolPolicy, toolPolicy } from "@/server/tools/tool-policy";
import type { ToolServerTool } from "./schema";

/** Model APIs take function names of up to 64 of these characters. */
const LONGEST_NAME = 64;
const NOT_IN_NAMES = /[^a-zA-Z0-9_-]/g;

const effectWord = z.enum(["reads", "writes"]);

/** A tool as stored from the server's own list. A field that is not what the protocol says is dropped, not the tool. */
const storedTool = z.object({
  name: z.string().min(1),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.record(z.string(), z.unknown()).optional().catch(undefined),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
      idempotentHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/** The columns of tool_servers that say what a server offers. */
export type ToolServerOffer = {
  name: string;
  tools: unknown;
  effects: unknown;
  policies: unknown;
  enabled: boolean;
  check_error: string | null;
};

export type OfferedTool = ToolServerTool & {
  title: string;
  /** By the server's word, repeating a call with the same arguments changes nothing more. */
  idempotent: boolean;
  /** Why it cannot be used now, in a sentence. */
  problem: string | null;
  /** False: how an owner wants it to be called is not known to this version, so it must not be called at all. */
  canBeRead: boolean;
};

/**
 * What a server offers, from its stored list (TID-MCP-02, TOOL-CUST-06). Names are `server__tool`, unique, and fit
 * every model API; the same list gives the same names. A tool writes unless the owner or the server says that it only
 * reads: a wrong "writes" asks once too often, a wrong "reads" does something twice.
 */
export function toolsOf(row: ToolServerOffer): OfferedTool[] {
  const overrides = overridesOf(row.effects);
  const policies = policiesOf(row.policies);
  const problem = problemOf(row);
  const taken = new Set<string>();
  const seen = new Set<string>();
  return listOf(row.tools).flatMap((tool) => {
    // A server that lists one name twice can only be called by that name once.
    if (seen.has(tool.name)) return [];
    seen.add(tool.name);
    const stated = statedEffect(tool.annotations?.readOnlyHint);
    const override = overrides.get(tool.name) ?? null;
    const writes = (override ?? stated) !== "reads";
    const idempotent = tool.annotations?.idempotentHint === true;
    const policy = policies.get(tool.name);
    const canBeRead = policy !== null;
    return [
      {
        name: tool.name,
        fullName: freeName(row.name, tool.name, taken),
        title: tool.title ?? tool.annotations?.title ?? tool.name,
        description: tool.description ?? "",
        parameters: tool.inputSchema ?? { type: "object", properties: {} },
        writes,
        stated,
        override,
        idempotent,
        policy: policy ?? defaultPolicy({ honours: writes && idempotent }),
        hasOwnPolicy: policies.has(tool.name),
        problem: canBeRead
          ? problem
          : `What an owner said of how ${tool.name} is called cannot be read. Save it again.`,
        canBeRead,
      },
    ];
  });
}

/** What stands before the tool in a name such as files__read: for all but built-in tools, the server's name. */
export function serverNameOf(fullName: string): string | null {
  const at = fullName.indexOf("__");
  return at > 0 ? fullName.slice(0, at) : null;
}

/** The owner's words, without those that are no words of ours. */
export function overridesOf(effects: unknown): Map<string, "reads" | "writes"> {
  const parsed = z.record(z.string(), effectWord.nullable().catch(null)).safeParse(effects);
  const entries = parsed.success ? Object.entries(parsed.data) : [];
  return new Map(entries.flatMap(([tool, word]) => (word ? [[tool, word] as const] : [])));
}

/** What owners said of how tools are called; null for what this version cannot read. */
export function policiesOf(policies: unknown): Map<string, ToolPolicy | null> {
  const all = z.record(z.string(), toolPolicy.nullable().catch(null)).safeParse(policies);
  return new Map(Object.entries(all.success ? all.data : {}));
}

type Reached = { transport: string; url: string | null; command: string | null; args: unknown };

/**
 * Whether stored secrets would go where they went before: to the same origin, or to the same program with the same
 * arguments, for those of npx or node name the program that really runs.
 */
export function keepsItsSecrets(before: Reached, after: Reached): boolean {
  if (before.transport !== after.transport) return false;
  if (after.transport === "stdio") {
    return before.command === after.command && JSON.stringify(before.args) === JSON.stringify(after.args);
  }
  return originOf(before.url) === originOf(after.url);
}

const originOf = (url: string | null) => (url && URL.canParse(url) ? new URL(url).origin : url);

function listOf(tools: unknown): z.infer<typeof storedTool>[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const parsed = storedTool.safeParse(tool);
    return parsed.success ? [parsed.data] : [];
  });
}

function statedEffect(readOnlyHint: boolean | undefined): OfferedTool["stated"] {
  if (readOnlyHint === undefined) return "nothing";
  return readOnlyHint ? "reads" : "writes";
}

function problemOf({ name, enabled, check_error }: ToolServerOffer): string | null {
  if (!enabled) return `The tool server “${name}” is turned off.`;
  return check_error ? `The last test of the tool server “${name}” failed: ${check_error}` : null;
}

function freeName(server: string, tool: string, taken: Set<string>): string {
  const first = nameFor(`${server}__${tool}`);
  let name = first;
  for (let again = 2; taken.has(name); again++) name = `${first.slice(0, LONGEST_NAME - 4)}_${again}`;
  taken.add(name);
  return name;
}

/** Unchanged where it fits; else with a hash of the original, so that names that were different stay so. */
function nameFor(original: string): string {
  const clean = original.replace(NOT_IN_NAMES, "_");
  if (clean === original && clean.length <= LONGEST_NAME) return clean;
  const hash = shortHash(original);
  return `${clean.slice(0, LONGEST_NAME - hash.length - 1)}_${hash}`;
}

/** FNV-1a, 32 bits. No secret depends on it, and this file runs in the browser too. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36).padStart(7, "0");
}
