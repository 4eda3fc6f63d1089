import type { ToolSpec } from "@/server/models/model";
import type { OfferedOption } from "@/server/runs/schema";

/** The tools the agents of the scale seed use, as a run's record shows them. */

const text = { type: "string" };
const spec = (name: string, description: string, ...fields: string[]): ToolSpec => ({
  name,
  description,
  parameters: {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field, text])),
    required: fields,
    additionalProperties: false,
  },
});

export const SPAWN = spec(
  "agent__spawn",
  "Start another agent and return at once with its id.",
  "agent",
  "prompt",
  "reason",
);
export const COLLECT = spec("agent__collect", "Wait for an agent and take its result.", "id");
export const ASK = spec("user__ask", "Ask the person who started this run one question.", "question");
export const SEARCH = spec("knowledge_search", "Searches the knowledge bases.", "query", "reason");
export const DOCS = spec("docs__search", "Searches the documentation of this product.", "query", "reason");
export const FIND = spec("helpdesk__find_ticket", "Finds a ticket by its number.", "number", "reason");
export const UPDATE = spec("helpdesk__update_ticket", "Writes a note into a ticket.", "number", "note", "reason");

const { name: _find, ...found } = FIND;
const { name: _update, ...updated } = UPDATE;
/** As the tool server would list them. */
export const HELPDESK_TOOLS = [
  {
    name: "find_ticket",
    description: found.description,
    inputSchema: found.parameters,
    annotations: { readOnlyHint: true },
  },
  {
    name: "update_ticket",
    description: updated.description,
    inputSchema: updated.parameters,
    annotations: { idempotentHint: true },
  },
];

export const offerTool = ({ name, description }: ToolSpec): OfferedOption => ({
  key: name,
  kind: "tool",
  label: name,
  description,
});
export const offerAgent = (name: string, description: string): OfferedOption => ({
  key: `agent:${name}`,
  kind: "agent",
  label: name,
  description,
});
export const ANSWER: OfferedOption = {
  key: "answer",
  kind: "action",
  label: "Answer",
  description: "End with this text as the result.",
};
