import { z } from "zod";
import { toolPolicy } from "@/server/tools/tool-policy";

const id = z.uuid();
const instant = z.iso.datetime();

/** What built-in tools begin with, as in docs__search, and what later ones may. */
const TAKEN_NAMES = ["agent", "docs", "knowledge", "mail", "memory", "skill", "task", "troupe", "user"];

/** Stands before the double underscore in `server__tool`, so it never changes. */
export const toolServerName = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9-]{0,19}$/, "Small letters, digits and hyphens, up to 20, beginning with a letter, e.g. files.")
  .refine((name) => !TAKEN_NAMES.includes(name), "This name is taken by Troupe's own tools.");

/** Line breaks and NUL would end a header, or a variable, early. */
const secretValue = z
  .string()
  .max(10_000)
  .regex(/^[^\r\n\0]*$/, "One line, please.");

/** Headers or environment: names and values. A value of null keeps the stored one. */
const secrets = z
  .array(z.strictObject({ name: z.string().trim().min(1).max(100), value: secretValue.nullable() }))
  .max(50)
  .default([]);

const transportFields = {
  transport: z.enum(["http", "stdio"]),
  /** Streamable HTTP: the address. Empty for stdio. */
  url: z.string().trim().max(1000),
  /** stdio: the program, looked up on the server's PATH, never through a shell. Empty for http. */
  command: z.string().trim().max(500),
  args: z.array(z.string().max(2000)).max(50).default([]),
  secrets,
  allowPrivateHost: z.boolean().default(false),
};
export const createToolServerInput = z
  .strictObject({ name: toolServerName, ...transportFields })
  .superRefine((input, context) => {
    refuseWrongFields(input, context);
    for (const [i, { value }] of input.secrets.entries()) {
      if (value === null)
        context.addIssue({ code: "custom", path: ["secrets", i, "value"], message: "Give it a value." });
    }
  });
export type CreateToolServerInput = z.infer<typeof createToolServerInput>;
export const updateToolServerInput = z
  .strictObject({ toolServerId: id, enabled: z.boolean(), ...transportFields })
  .superRefine(refuseWrongFields);
export type UpdateToolServerInput = z.infer<typeof updateToolServerInput>;

type Transport = {
  transport: "http" | "stdio";
  url: string;
  command: string;
  args: string[];
  secrets: { name: string }[];
};

/** Which fields go with which transport, and what may be in them (LOK-MCP-05). */
function refuseWrongFields(input: Transport, context: z.RefinementCtx): void {
  const refuse = (message: string, ...path: (string | number)[]) => context.addIssue({ code: "custom", path, message });
  if (input.transport === "http") {
    if (!isWebAddress(input.url)) refuse("A web address, e.g. https://tools.example.com/mcp.", "url");
    else if (/^https?:\/\/[^/?#]*@/i.test(input.url)) {
      refuse("Put the user name and password into a header, not into the address.", "url");
    }
    if (input.command || input.args.length > 0) refuse("A server at an address has no command.", "command");
  } else {
    if (!input.command) refuse("Name the program to start.", "command");
    if ([input.command, ...input.args].some((text) => text.includes("\0")))
      refuse("Leave out the NUL character.", "command");
    if (input.url) refuse("A program has no address.", "url");
  }
  const [pattern, wrong] = SECRET_NAMES[input.transport];
  const seen = new Set<string>();
  for (const [i, { name }] of input.secrets.entries()) {
    const same = input.transport === "http" ? name.toLowerCase() : name;
    if (seen.has(same)) refuse(`${name} is there twice.`, "secrets", i, "name");
    else if (!pattern.test(name)) refuse(wrong, "secrets", i, "name");
    else if (input.transport === "http" && SET_BY_US.includes(same))
      refuse(`${name} is set by Troupe.`, "secrets", i, "name");
    seen.add(same);
  }
}

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
const SECRET_NAMES: Record<"http" | "stdio", [RegExp, string]> = {
  http: [/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "A header name, e.g. Authorization."],
  stdio: [/^[A-Za-z_][A-Za-z0-9_]*$/, "A variable name, e.g. GITHUB_TOKEN."],
};
/** Headers the protocol and the connection need for themselves. */
const SET_BY_US = [
  ...[
    "accept",
    "content-type",
    "content-length",
    "host",
    "connection",
    "transfer-encoding",
    "upgrade",
    "te",
    "trailer",
  ],
  ...["mcp-session-id", "mcp-protocol-version", "last-event-id", "idempotency-key", "expect", "keep-alive"],
];

export const toolServerIdInput = z.strictObject({ toolServerId: id });
export const setToolEffectInput = z.strictObject({
  toolServerId: id,
  /** As the server calls it. */
  tool: z.string().max(200),
  /** "as-stated": what the server says of the tool, and "writes" where it says nothing. */
  effect: z.enum(["reads", "writes", "as-stated"]),
});

export type SetToolEffectInput = z.infer<typeof setToolEffectInput>;

export const setToolPolicyInput = z.strictObject({
  toolServerId: id,
  /** As the server calls it. */
  tool: z.string().max(200),
  /** Null: as it is called where no owner says how. */
  policy: toolPolicy.nullable(),
});
export type SetToolPolicyInput = z.infer<typeof setToolPolicyInput>;

export const toolServerTool = z.object({
  /** As the server calls it. */
  name: z.string(),
  /** As models and agents call it: `server__tool`. */
  fullName: z.string(),
  description: z.string(),
  /** JSON schema of its arguments. */
  parameters: z.record(z.string(), z.unknown()),
  /** What counts: the owner's word, else the server's, else writes. */
  writes: z.boolean(),
  stated: z.enum(["reads", "writes", "nothing"]),
  override: z.enum(["reads", "writes"]).nullable(),
  /** How it is called: the owner's word, else the default. */
  policy: toolPolicy,
  hasOwnPolicy: z.boolean(),
});

export type ToolServerTool = z.infer<typeof toolServerTool>;

/** How the sentence of a test ends that needs an owner's permission first: screens offer it there, also days later. */
export const NEEDS_PERMISSION = "is on a private network. An owner must allow this host before anything is sent there.";

export const toolServerView = z.object({
  id,
  name: z.string(),
  transport: z.enum(["http", "stdio"]),
  url: z.string().nullable(),
  command: z.string().nullable(),
  args: z.array(z.string()),
  secretNames: z.array(z.string()),
  enabled: z.boolean(),
  tools: z.array(toolServerTool),
  checkedAt: instant.nullable(),
  checkError: z.string().nullable(),
  createdBy: z.string().nullable(),
  /** An owner allowed calls to this address's host and port although it may be private. False for stdio. */
  privateHostAllowed: z.boolean(),
  /** Agents whose draft or newest version names one of its tools. */
  usedBy: z.array(z.object({ id, name: z.string() })),
});
export type ToolServerView = z.infer<typeof toolServerView>;

/** A connection test: connects (or starts the program), lists its tools, stores them. */
export const toolServerCheck = z.object({
  ok: z.boolean(),
  problem: z.string().nullable(),
  code: z.enum(["ok", "private-host", "unauthorized", "unreachable", "not-mcp", "failed"]),
  server: toolServerView,
});
export type ToolServerCheck = z.infer<typeof toolServerCheck>;

export const removedToolServer = z.object({
  id,
  name: z.string(),
  /** Agents that no longer start until its tools are taken out of them. */
  usedBy: z.array(z.object({ id, name: z.string() })),
});
export type RemovedToolServer = z.infer<typeof removedToolServer>;
