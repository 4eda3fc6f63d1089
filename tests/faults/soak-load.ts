import { db, pool } from "@/server/db";
import { pauseRun, resumeRun, stopRun } from "@/server/runs/service/control-run";
import { LiveReader } from "@/tests/support/live-reader";
import type { Product } from "./product";
import { answerOpen, startRunOf, until } from "./world";

/** What a run of the soak does: `effects` at the far side, and what a person does with it meanwhile. */
type Kind = {
  marker: string;
  effects?: number;
  team?: boolean;
  meanwhile?: "pause" | "stop" | "watch";
  endsAs?: "streamed" | "aborted";
};

/** In turn, so that each kind is the same part of all runs, however long the soak is. */
const KINDS: Kind[] = [
  { marker: "[[tools=3]]", effects: 3 },
  { marker: "[[tools=3]]", effects: 3, meanwhile: "watch" },
  { marker: "[[delegate=2;tools=2]]", effects: 4, team: true },
  { marker: "[[ask=1]]" },
  { marker: "[[tools=2]]", effects: 2, meanwhile: "pause" },
  { marker: "[[fault=500x1]] [[tools=1]]", effects: 1 },
  { marker: "[[ask=1]] never answered,", meanwhile: "stop", endsAs: "aborted" },
  { marker: "[[stream=40;gap=5]]", meanwhile: "watch", endsAs: "streamed" },
];

const ENDS: readonly string[] = ["completed", "failed", "aborted"];

/** Keeps a number of runs of every kind going, and acts as the people who watch, answer, pause and stop them. */
export class SoakLoad {
  /** Runs that must end with an answer that says what they did. */
  readonly answered: string[] = [];
  readonly others: string[] = [];
  readonly problems: string[] = [];
  effects = 0;
  /** Of each a call may have been under way in one worker when it was resumed in another. */
  paused = 0;
  private nth = 0;
  private isOver = false;
  private isDone = false;

  constructor(private readonly product: Product) {}

  get ended(): number {
    return this.answered.length + this.others.length;
  }

  /** Until it is told to end; then what is under way is brought to its end. */
  async keepGoing(atOnce: number): Promise<void> {
    const answering = this.answer();
    await Promise.all(Array.from({ length: atOnce }, () => this.oneAfterTheOther()));
    this.isDone = true;
    await answering;
  }

  end(): void {
    this.isOver = true;
  }

  private async answer(): Promise<void> {
    const { world } = this.product;
    while (!this.isDone) {
      await answerOpen(world);
      const { rows } = await pool().query<{ id: string }>(
        `select h.id from human_requests h join runs r on r.id = h.run_id
         where h.status = 'open' and h.kind = 'question' and r.input not like '%never answered%'`,
      );
      for (const { id } of rows) await this.product.answer(id, `answer to ${id}`);
      await pause(100);
    }
  }

  private async oneAfterTheOther(): Promise<void> {
    while (!this.isOver) {
      const nth = this.nth++;
      const kind = KINDS[nth % KINDS.length];
      if (kind) await this.carryOut(kind, nth);
    }
  }

  private async carryOut({ marker, effects = 0, team, meanwhile, endsAs }: Kind, nth: number): Promise<void> {
    const { world } = this.product;
    const runId = await startRunOf(world, team ? world.team : world.solo, `${marker} soaked ${nth}`);
    this.product.runs.add(runId);
    const of = { scope: world.scope, runId };
    const watching = meanwhile === "watch" ? this.watch(runId) : undefined;
    if (meanwhile === "pause") {
      await pauseRun(of);
      this.paused += 1;
      // One that had ended by then is not resumed.
      await resumeRun(of).catch(() => {});
    }
    if (meanwhile === "stop") {
      await this.reached(runId, ["waiting"]);
      await stopRun(of);
    }
    const status = await this.reached(runId, ENDS);
    if (status !== (endsAs === "aborted" ? "aborted" : "completed"))
      this.problems.push(`“${marker}” ended as ${status}`);
    await watching;
    (endsAs ? this.others : this.answered).push(runId);
    this.effects += effects;
  }

  private async reached(runId: string, statuses: readonly string[]): Promise<string> {
    let status = "";
    await until(`one of ${statuses.join(", ")} for run ${runId}`, async () => {
      ({ status } = await db().run.findUniqueOrThrow({ where: { id: runId }, select: { status: true } }));
      if (!statuses.includes(status)) throw new Error(`it is ${status}`);
      return true;
    });
    return status;
  }

  /** As a browser does, to the end of the run: it sees each event once. */
  private async watch(runId: string): Promise<void> {
    const { url, headers } = this.product.live();
    const reader = new LiveReader(url, { runId }, headers);
    const over = ({ messages }: LiveReader) =>
      messages.some(({ type, ...message }) => {
        const body = type === "event" && "event" in message ? message.event.body : undefined;
        return body?.kind === "run.status" && ENDS.includes(body.status);
      });
    while (!over(reader)) await reader.read(over);
    if (!reader.seqs.every((seq, at) => seq === at + 1)) this.problems.push(`a watcher saw ${reader.seqs.join(" ")}`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
