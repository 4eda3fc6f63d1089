import { z } from "zod";
import { decide } from "../decide";
import type { Execution } from "../execution";
import { HANDED_OVER, HANDOFF_TOOL, judgeHandoff } from "../handoffs";
import type { JournalUnit } from "../journal/unit";
import type { Offer } from "../offers";
import { argumentsOf } from "../turn-decision";
import { type EngineTool, refusal } from "./engine-tool";

/** Among the decisions at the call's position, as other guards. */
const ORDINAL = 40;

const LABELS = { refuse: "Refuse it", hand_over: "Hand over" };
const OFFERS: Offer[] = [
  {
    key: "hand_over",
    kind: "action",
    label: LABELS.hand_over,
    description: "Allowed below the limit, and while it brings something new.",
  },
  { key: "refuse", kind: "action", label: LABELS.refuse, description: "Tell the agent, which may still answer." },
];

const text = z.string().trim().min(1);
const handoffArguments = z.object({ agent: text, reason: text, tell: text.max(100_000) });

/** agent__handoff: ends the caller's part once its turn is recorded; the root gives the task to the agent named. Offered only in such teams. */
export const handOver: EngineTool = {
  kind: "tool",
  offer: ({ colleagues }) =>
    colleagues.length > 0
      ? {
          name: HANDOFF_TOOL,
          description: `Hand the whole task over to another agent. Your part ends with this turn, and its answer counts. Agents:\n${colleagues
            .map(({ name, purpose }) => `- ${name}: ${purpose}`)
            .join("\n")}`,
          parameters: {
            type: "object",
            properties: {
              agent: { type: "string", enum: colleagues.map(({ name }) => name) },
              reason: { type: "string", description: "Why this agent, and not you" },
              tell: {
                type: "string",
                description: "What it needs to know beside the task: what you found, what is left to do",
              },
            },
            required: ["agent", "reason", "tell"],
            additionalProperties: false,
          },
        }
      : null,
  async run(execution, { call, position }) {
    const { colleagues, handoffs, run } = execution.journal.opened;
    const parsed = handoffArguments.safeParse(argumentsOf(call));
    if (!parsed.success) {
      const message = `${HANDOFF_TOOL} needs agent, reason and tell: ${z.prettifyError(parsed.error)}`;
      return refusal("malformed_arguments", message);
    }
    const { agent, tell } = parsed.data;
    if (!colleagues.some(({ name }) => name === agent)) {
      const names = colleagues.map(({ name }) => name).join(", ");
      return refusal("unknown_agent", `There is no agent named "${agent}" to hand over to. There are: ${names}.`);
    }
    if (firstOfTurn(execution, position) !== call.id)
      return refusal("one_handoff", "A turn holds one handoff: the first counts.");
    const refused = judgeHandoff(
      handoffs,
      { from: execution.row.name, to: agent, told: tell },
      run.patternSettings.handoff.maxHandoffs,
    );
    if (!refused) return { value: { status: HANDED_OVER, agent, message: "Your part ends with this turn." } };
    const { kind, reason } = refused;
    const advice =
      kind === "limit"
        ? "Answer yourself, as well as you can."
        : "Answer yourself, hand over to another, or tell something that was not told before.";
    return { ...refusal(`handoff_${kind}`, `${reason} ${advice}`), unit: decision(execution, position, refused) };
  },
};

/** Id of the first call of that turn that hands over. */
function firstOfTurn({ steps, messages }: Execution, position: number): string | undefined {
  const turn = steps.findLast(
    (step) => step.kind === "model" && step.status === "completed" && step.position < position,
  );
  const reply = turn?.replyMessage == null ? undefined : messages.get(turn.replyMessage);
  return reply?.role === "assistant" ? reply.calls.find(({ name }) => name === HANDOFF_TOOL)?.id : undefined;
}

function decision(
  execution: Execution,
  position: number,
  { kind, reason }: { kind: "limit" | "guard"; reason: string },
): JournalUnit {
  return decide(execution, {
    ...{ position, ordinal: ORDINAL, kind, reason },
    chosen: [{ option: "refuse", label: LABELS.refuse, position, reason: null }],
    source: kind === "limit" ? "policy" : "runtime-rule",
    offers: OFFERS,
  });
}
