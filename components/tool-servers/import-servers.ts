import { aSecretField } from "@/components/ui/secret-field";
import { EMPTY_VALUES, type ServerValues } from "./server-values";

export type Imported = {
  /** As the configuration calls it. */
  from: string;
  values: ServerValues;
  /** What the form has no place for, by name. */
  leftOut: string[];
};
export type ImportResult = { servers: Imported[]; problem: null } | { servers: []; problem: string };

const KNOWN = ["type", "command", "args", "env", "url", "headers"];

/**
 * Reads the `mcpServers` JSON that other MCP clients use (LOK-MCP-01, LOK-MCP-05), to fill the form with. Nothing is
 * saved by it. A server without a type is known by its command or its URL.
 */
export function importServers(text: string): ImportResult {
  const parsed = parse(text);
  if (!isObject(parsed)) return refuse("This is not JSON. Paste the whole configuration, with its outer braces.");
  const map = isObject(parsed.mcpServers) ? parsed.mcpServers : parsed;
  const servers: Imported[] = [];
  for (const [name, given] of Object.entries(map)) {
    if (!isObject(given)) return refuse(`“${name}” is not a server. Servers are under "mcpServers", by name.`);
    const read = readServer(name, given);
    if (typeof read === "string") return refuse(`“${name}”: ${read}`);
    servers.push(read);
  }
  return servers.length > 0 ? { servers, problem: null } : refuse('There are no servers under "mcpServers".');
}

const refuse = (problem: string): ImportResult => ({ servers: [], problem });

function readServer(name: string, given: Record<string, unknown>): Imported | string {
  const type = given.type ?? (given.command === undefined ? "http" : "stdio");
  if (type === "sse") return "servers of the old type sse cannot be used. Many also answer as http, often at /mcp.";
  const isHttp = type === "http" || type === "streamable-http" || type === "streamableHttp";
  if (!isHttp && type !== "stdio") return `the type ${JSON.stringify(type)} is unknown.`;
  const { command = "", args = [], url = "", env = {}, headers = {} } = given;
  if (isHttp && (command !== "" || given.env !== undefined)) return "a server at a URL has no command and no env.";
  if (!isHttp && (url !== "" || given.headers !== undefined)) return "a program has no URL and no headers.";
  if (typeof url !== "string" || (isHttp && !url)) return "the url is missing.";
  if (typeof command !== "string" || (!isHttp && !command)) return "the command is missing.";
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) return "args must be a list of texts.";
  const secrets = readSecrets(isHttp ? headers : env);
  if (!secrets) return `${isHttp ? "headers" : "env"} must be names with texts, numbers, true or false.`;
  return {
    from: name,
    values: {
      ...EMPTY_VALUES,
      ...{ name: shortName(name), transport: isHttp ? "http" : "stdio", url, command, args: args.join("\n"), secrets },
    },
    leftOut: Object.keys(given).filter((field) => !KNOWN.includes(field)),
  };
}

function readSecrets(given: unknown) {
  if (!isObject(given)) return null;
  const entries = Object.entries(given);
  if (!entries.every(([, value]) => ["string", "number", "boolean"].includes(typeof value))) return null;
  return entries.map(([name, value]) => aSecretField({ name, value: String(value) }));
}

/** As near as our names allow: small letters, digits and hyphens. */
function shortName(name: string): string {
  const clean = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "");
  return clean.slice(0, 20).replace(/-+$/, "");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
