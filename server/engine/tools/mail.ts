import { z } from "zod";
import type { Mail } from "../events";
import type { Execution } from "../execution";
import { deriveId, isHandle } from "../ids";
import { mailUnit, readingOrder } from "../inbox";
import { isInTeam } from "../may-spawn";
import { hasEnded, type RunStatus } from "../state";
import { argumentsOf } from "../turn-decision";
import { type EngineTool, refusal } from "./engine-tool";

const PARENT = "parent";
const MOST_CHARACTERS = 20_000;

const sendArguments = z.object({ id: z.string(), message: z.string().trim().min(1) });

/**
 * agent__send_message (LOK-MSG-02, LOK-MSG-06): to an own child, else to a sibling or the parent. No model is involved on the way. Serial:
 * letters of one turn are sent in the order they were written.
 */
export const sendMessage: EngineTool = {
  kind: "tool",
  isSerial: true,
  offer: (briefed) =>
    isInTeam(briefed)
      ? {
          name: "agent__send_message",
          description:
            'Write to another agent: one you started, one that was started beside you, or the one that started you, whose id is also "parent". It reads the message when it looks into its inbox.',
          parameters: {
            type: "object",
            properties: { id: { type: "string", description: "Id of the agent" }, message: { type: "string" } },
            required: ["id", "message"],
            additionalProperties: false,
          },
        }
      : null,
  async run(execution, { call, position }) {
    const parsed = sendArguments.safeParse(argumentsOf(call));
    if (!parsed.success)
      return refusal(
        "malformed_arguments",
        `agent__send_message needs id and message: ${z.prettifyError(parsed.error)}`,
      );
    const { id, message } = parsed.data;
    if (message.length > MOST_CHARACTERS) {
      const words = `The message has ${message.length} characters, and ${MOST_CHARACTERS} are the most. Shorten it or send it in parts.`;
      return refusal("message_too_long", words);
    }
    if (id === execution.row.handle) return refusal("own_id", "That is your own id. Messages go to other agents.");
    const target = await addressee(execution, id);
    if (!target) {
      const words = `You know no agent ${JSON.stringify(id).slice(0, 100)}: messages go to agents you started, to those started beside you and to the one that started you.`;
      return refusal("unknown_agent_run", words);
    }
    if (hasEnded(target.status)) return refusal("agent_run_ended", `${id} has ended: it reads no more messages.`);
    const mail = { id: deriveId(execution.row.id, `mail ${position}`), fromId: execution.row.id, toId: target.id };
    return {
      value: { status: "ok", id, message: "Sent. It is read when the agent looks into its inbox." },
      unit: mailUnit({ ...mail, kind: "text", text: message, sentAt: execution.now() }),
    };
  },
};

type Addressee = { id: string; status: RunStatus };

async function addressee({ row, resources }: Execution, id: string): Promise<Addressee | null> {
  if (id !== PARENT && !isHandle(id)) return null;
  const { rows } = await resources.pool.query<Addressee>({
    name: "addressee",
    text: `select id, status from agent_runs
      where run_id = $1 and id <> $2 and (parent_id = $2 or parent_id = $3 or id = $3)
        and case when $4 = '${PARENT}' then id = $3 else handle = $4 end
      order by parent_id = $2 desc nulls last limit 1`,
    values: [row.runId, row.id, row.parentId, id],
  });
  return rows[0] ?? null;
}

/** agent__check_inbox (LOK-MSG-03): reads what was sent to this agent run, each letter once. */
export const checkInbox: EngineTool = {
  kind: "tool",
  isSerial: true,
  offer: (briefed) =>
    isInTeam(briefed)
      ? {
          name: "agent__check_inbox",
          description: "Read the messages other agents sent you since you last looked. Each is given once.",
          parameters: { type: "object", properties: {}, additionalProperties: false },
        }
      : null,
  async run(execution) {
    const unread = readingOrder(await unreadMails(execution));
    const given = unread.slice(0, fitting(unread));
    const left = unread.length - given.length;
    const messages = given.map(({ fromId, handle, kind, text, sentAt }) => ({
      from: fromId === execution.row.parentId ? PARENT : handle,
      payload: { type: kind, text },
      timestamp: sentAt,
    }));
    const mailIds = given.map(({ id }) => id);
    const at = execution.now();
    return {
      value: {
        messages,
        count: messages.length,
        ...(left > 0 ? { left, message: `${left} more are unread. Look again for them.` } : {}),
      },
      ...(mailIds.length
        ? { unit: { agent: { inbox: mailIds }, events: [{ body: { kind: "mail.read", mailIds, at } }] } }
        : {}),
    };
  },
};

/** Characters of letters given at once; at least one letter is. */
const MOST_AT_ONCE = 100_000;

/** How many of the letters are given at once. */
function fitting(letters: readonly Pick<Mail, "text">[]): number {
  let characters = 0;
  const over = letters.findIndex(({ text }) => {
    characters += text.length;
    return characters > MOST_AT_ONCE;
  });
  return over < 0 ? letters.length : Math.max(1, over);
}

async function unreadMails({ row, resources }: Execution): Promise<(Mail & { handle: string })[]> {
  const { rows } = await resources.pool.query<Omit<Mail, "sentAt"> & { handle: string; sentAt: Date }>({
    name: "unread_mails",
    text: `select m.id, m.from_id as "fromId", m.kind, m.text, m.sent_at as "sentAt", ar.handle
      from mails m join agent_runs ar on ar.id = m.from_id where m.to_id = $1 and m.read_at is null`,
    values: [row.id],
  });
  return rows.map((mail) => ({ ...mail, sentAt: mail.sentAt.toISOString() }));
}
