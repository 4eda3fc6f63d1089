import { z } from "zod";
import type { Execution } from "../execution";
import { dataToPublish, MOST_DATA_CHARACTERS, MOST_PUBLISHED } from "../published-event";
import { contextName } from "../run-context";
import { argumentsOf } from "../turn-decision";
import { type CallOutcome, type EngineTool, mistake, problemOf } from "./engine-tool";

const publishArguments = z.object({ name: contextName, data: dataToPublish.nullish() });

/**
 * event__publish (AGT-EVT-05, AGT-EVT-07): an event of the agent's own, in the commit of its step and so once, whatever happens to whoever
 * executes it. Serial: events of one turn are told in the order they were written, and counted one after the other. What cannot be published
 * is data for the model: `malformed_arguments`, `too_many_events`.
 */
export const publishEvent: EngineTool = {
  kind: "tool",
  isSerial: true,
  offer: ({ config }) =>
    config.publishesEvents
      ? {
          name: "event__publish",
          description:
            "Publish an event of your own: something others should hear of. It is kept with this run; nobody answers it.",
          parameters: {
            type: "object",
            properties: {
              name: {
                type: "string",
                description: "What happened, such as order.shipped: a letter, then letters, digits, _ . or -",
              },
              data: {
                type: ["object", "null"],
                description: `What belongs to it, as JSON of at most ${MOST_DATA_CHARACTERS.toLocaleString("en")} characters`,
              },
            },
            required: ["name"],
            additionalProperties: false,
          },
        }
      : null,
  async run(execution, { call }): Promise<CallOutcome> {
    const parsed = publishArguments.safeParse(argumentsOf(call));
    if (!parsed.success) return mistake("malformed_arguments", problemOf(parsed.error));
    execution.published ??= await countPublished(execution);
    if (execution.published >= MOST_PUBLISHED) {
      return mistake("too_many_events", `You published ${MOST_PUBLISHED} events, which is the most.`);
    }
    execution.published += 1;
    const { name, data = null } = parsed.data;
    const body = { kind: "agent.published" as const, name, data, at: execution.now() };
    return { value: { status: "ok" }, unit: { events: [{ body }] } };
  },
};

/** How many were published before this execution. Its own are counted as they are made, so each execution asks once. */
async function countPublished({ row, resources }: Execution): Promise<number> {
  const { rows } = await resources.pool.query<{ published: number }>({
    name: "count_published",
    text: `select count(*)::int as published from events
      where workspace_id = $1 and run_id = $2 and agent_run_id = $3 and kind = 'agent.published'`,
    values: [row.workspaceId, row.runId, row.id],
  });
  return rows[0]?.published ?? 0;
}
