import type { ModelMessage } from "@/server/models/model";
import { answerKindOf } from "./answer-schema";
import type { RequestOption } from "./events";
import type { Execution } from "./execution";
import { escalationIdOf } from "./ids";
import { merged } from "./journal/merged";
import type { JournalUnit } from "./journal/unit";

/** Whoever is offered this tool is told what is asked. */
export const REPLY_TOOL = "agent__reply_escalation";

/** A question of an agent below that agents may still answer, as a model is told it (LOK-ESC-08). */
type Pending = {
  escalation_id: string;
  from_agent_id: string;
  from_agent_name: string;
  /** With the kind of question before it, e.g. "[confirm] Shall I?". */
  question: string;
  options: string[];
};

type Found = { requestId: string; isTold: boolean; pending: Pending };

/** What a call tells its model, and what is committed with that. */
export type Told = { pending: Pending[]; unit: JournalUnit };

/**
 * What agents below ask one execution of an agent run. All that is asked in a run is one queue (LOK-ESC-08): every agent run above the
 * one that asks is told, once, by whichever comes first: a message before its next model call, or a call that looks or waits.
 */
export class PendingEscalations {
  /** Escalation ids the model will read of in the results of the turn that is under way: also over a crash in the middle of it. */
  private readonly inTurn: Set<string>;
  /** Found and not told yet. */
  private untold: Found[] = [];

  constructor(private readonly execution: Execution) {
    this.inTurn = namedInTurn(execution.conversation());
  }

  /** What it was not told yet, as a message. Asks the database only after a hint; null when there is nothing. */
  async message(): Promise<ModelMessage | null> {
    const { journal } = this.execution;
    if (this.execution.engineTool(REPLY_TOOL) && (journal.isEscalated || this.untold.length)) {
      journal.isEscalated = false;
      this.untold = (await this.find()).filter(({ isTold }) => !isTold);
    }
    if (this.untold.length === 0) return null;
    const listed = JSON.stringify({ pending_escalations: this.untold.map(({ pending }) => pending) });
    return { role: "user", content: `${INSTRUCTION}\n${listed}` };
  }

  /** The same at the end of the conversation, for the model call that is next: it counts as told. */
  async take(): Promise<JournalUnit> {
    const message = await this.message();
    this.inTurn.clear();
    const told = this.untold.splice(0).map(({ requestId }) => requestId);
    if (!message) return {};
    const index = this.execution.messages.size;
    this.execution.messages.set(index, message);
    return merged(this.execution.journal.message(index, message), { agent: { told } });
  }

  /** For a call that looks: all that is pending, except what a call beside it tells. */
  async list(): Promise<Told> {
    return this.tell(await this.find());
  }

  /**
   * For a call that waits: what the model must answer before it can wait on. Empty when a call beside it tells that; null when the model
   * knew of everything before this turn. Asks the database only after a hint.
   */
  async news(): Promise<Told | null> {
    if (!this.execution.journal.isEscalated) return null;
    const found = await this.find();
    const news = found.filter(({ isTold, pending }) => !isTold || this.inTurn.has(pending.escalation_id));
    return news.length ? this.tell(news) : null;
  }

  /** The model will read of this one in a result of this turn: calls beside it do not wait. */
  willRead(escalationId: string): void {
    this.inTurn.add(escalationId);
    this.execution.resources.hub.tell("escalated", this.execution.row.id);
  }

  private tell(found: readonly Found[]): Told {
    const listed = found.filter(({ pending }) => !this.inTurn.has(pending.escalation_id));
    for (const { pending } of listed) this.willRead(pending.escalation_id);
    const told = listed.filter(({ isTold }) => !isTold).map(({ requestId }) => requestId);
    return { pending: listed.map(({ pending }) => pending), unit: told.length ? { agent: { told } } : {} };
  }

  private async find(): Promise<Found[]> {
    const { pool } = this.execution.resources;
    const { rows } = await pool.query<PendingRow>({
      name: "pending_escalations",
      text: `select q.id, q.prompt, q.options, q.schema, $2 = any(q.told_ids) as "isTold", ar.handle, ar.name
        from human_requests q join agent_runs ar on ar.id = q.agent_run_id
        where q.run_id = $1 and q.status = 'escalated' and $2 in (select above.id from agents_above(q.agent_run_id) above)
        order by q.created_at, q.id`,
      values: [this.execution.row.runId, this.execution.row.id],
    });
    return rows.map((row) => ({ requestId: row.id, isTold: row.isTold, pending: pendingOf(row) }));
  }
}

const INSTRUCTION =
  `Agents below you wait for an answer. Answer each with ${REPLY_TOOL}. ` +
  "Where only a person can say, call it without a reply, or ask the person yourself and pass the answer on.";

type PendingRow = {
  id: string;
  prompt: string;
  options: RequestOption[];
  schema: unknown;
  isTold: boolean;
  handle: string;
  name: string;
};

function pendingOf({ id, prompt, options, schema, handle, name }: PendingRow): Pending {
  return {
    escalation_id: escalationIdOf(id),
    from_agent_id: handle,
    from_agent_name: name,
    question: `[${interactionOf(schema, options)}] ${prompt}`,
    options: options.map(({ value }) => value),
  };
}

/** The tool that asks such questions, without its prefix. */
function interactionOf(schema: unknown, options: readonly RequestOption[]): string {
  const kind = answerKindOf(schema);
  if (kind === "several") return "checkbox";
  if (kind === "confirm") return "confirm";
  return options.length ? "ask" : "input";
}

/** Escalation ids in the results of the turn that is under way. */
function namedInTurn(conversation: readonly ModelMessage[]): Set<string> {
  const last = conversation.findLastIndex(({ role }) => role === "assistant");
  const results = conversation.slice(last + 1).filter(({ role }) => role === "tool");
  return new Set(results.flatMap(({ content }) => content?.match(/\besc_[0-9a-f]{8}\b/g) ?? []));
}
