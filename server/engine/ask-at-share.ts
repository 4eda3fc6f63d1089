import { requestUnit } from "./ask-person";
import { decide, decisionId, ownOrdinal } from "./decide";
import type { Execution } from "./execution";
import { deriveId } from "./ids";
import { merged } from "./journal/merged";
import type { Offer } from "./offers";

export const ASK_OFFER: Offer = {
  key: "ask",
  kind: "action",
  label: "Ask a person",
  description: "At the share of the run's limit that is set for that, once.",
};

const ANSWERS = [
  { value: "go_on", label: "Go on", description: "Up to the limit, without asking again." },
  { value: "suspend", label: "Suspend the run", description: "It stands still until somebody resumes it." },
  { value: "stop", label: "Stop the run", description: "It ends here. What was done stays." },
];
export type AtShare = "go_on" | "suspend" | "stop";

type Share = {
  /** Of the model call that would pass it. */
  position: number;
  /** Which limit of the run: `usd:<nano-USD>` or `tokens:<tokens>`. */
  share: string;
  /** The figures, as a sentence. */
  reason: string;
  /** What can happen at a limit. */
  offers: readonly Offer[];
};

/**
 * Asks a person before the run passes a share of its limit (LLM-ADV-14), once for each run and limit: the request's id comes from them, so
 * that every agent of the run, and a second execution, finds the same one and waits for the same answer. When the agent run that asked is
 * stopped first, another asks.
 */
export async function askAtShare(execution: Execution, { position, share, reason, offers }: Share): Promise<AtShare> {
  const { journal, row } = execution;
  const waiting = execution.beginWaiting();
  let isTold = false;
  for (let again = 0; ; again++) {
    const id = deriveId(row.runId, again ? `budget ${share} again ${again}` : `budget ${share}`);
    const known = await standingOf(execution, id);
    if (known?.status === "withdrawn") continue;
    const step = execution.begin([{ position, turn: execution.turn() + 1, kind: "human", name: "budget" }]);
    // Answered while nobody executed it: what is carried out now ends the step.
    if (known?.status === "answered") await journal.append(step);
    else {
      const ordinal = ownOrdinal(execution, 2 + again);
      const own = () =>
        merged(
          decide(execution, {
            position,
            ordinal,
            kind: "budget",
            chosen: [{ option: ASK_OFFER.key, label: ASK_OFFER.label, position, reason: null }],
            reason,
            source: "policy",
            offers,
          }),
          requestUnit(execution, {
            id,
            question: {
              position,
              place: share,
              kind: "budget",
              prompt: `${reason} Go on?`,
              options: ANSWERS,
              call: null,
              decisionId: decisionId(execution, position, ordinal),
            },
            escalation: null,
            deadlineAt: null,
          }),
        );
      const also = isTold ? {} : waiting;
      await journal.append(merged(known ? {} : own(), step, also)).catch(async (error: unknown) => {
        // Another agent of the run was first.
        if (!isStored(error)) throw error;
        await journal.append(merged(step, also));
      });
      isTold = true;
    }
    await execution.faultPoint("in-wait", position);
    const answer = await answerOf(execution, id);
    if (answer === "withdrawn") continue;
    const resumed = execution.endWaiting();
    if (answer === "go_on" && isTold && Object.keys(resumed).length) await journal.append(resumed);
    return answer;
  }
}

function isStored(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === "23505" && constraint === "human_requests_pkey";
}

type Standing = { status: string; answer: AtShare; asker: string };

async function standingOf(execution: Execution, id: string): Promise<Standing | undefined> {
  const { rows } = await execution.resources.pool.query<Standing>({
    name: "share_standing",
    text: "select status, answer, agent_run_id as asker from human_requests where id = $1",
    values: [id],
  });
  return rows[0];
}

async function answerOf(execution: Execution, id: string): Promise<AtShare | "withdrawn"> {
  const { hub } = execution.resources;
  const asker = (await standingOf(execution, id))?.asker ?? execution.row.id;
  return hub.waitForAny([`answered:${id}`, `aborted:${asker}`], execution.signal, async () => {
    const now = await standingOf(execution, id);
    if (now?.status === "withdrawn") return "withdrawn";
    return now?.status === "answered" ? now.answer : undefined;
  });
}
