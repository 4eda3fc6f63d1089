import { pool } from "@/server/db";
import { BoundedWork } from "@/server/engine/bounded-work";
import { CallSlots } from "@/server/engine/call-slots";
import { execute } from "@/server/engine/execute";
import { WorkHub } from "@/server/engine/hub";
import { Flusher } from "@/server/engine/journal/flusher";
import type { Journal } from "@/server/engine/journal/journal";
import { Gates } from "@/server/engine/resilience/gates";
import type { EngineResources } from "@/server/engine/resources";
import { ENGINE_TOOLS } from "@/server/engine/tools/engine-tools";
import { type Model, ModelError, type ModelRequest } from "@/server/models/model";
import { type Next, rehearsalModel, toReply } from "@/server/models/rehearsal";
import { toolbox } from "@/server/tools/toolbox";

/** Made up, so that the examples have costs to show. */
const PRICE = { inputNanoUsd: 3_000_000_000, outputNanoUsd: 15_000_000_000 };

/** What the model does: answers by its own rules, gives trouble, or says what was written for it. */
type Act = "answers" | "refuses" | "hangs" | Next;
export type Direction = (request: ModelRequest) => Act | Promise<Act>;

/**
 * Carries out one run in this process, with the engine itself and the rehearsal model, until it ends or waits for a person. No worker
 * and no queue are needed for that: they decide when an agent run is executed, and here it is now.
 */
export class ExampleDesk {
  private readonly resources: EngineResources;
  private readonly journals = new Set<Journal>();
  private readonly working: Promise<unknown>[] = [];
  private stand = () => {};
  /** Resolves when the run can go no further by itself: a person is asked, or its model hangs. */
  readonly standing = new Promise<void>((resolve) => {
    this.stand = resolve;
  });

  constructor(direct: Direction = () => "answers") {
    const model = directed(direct, () => this.stand());
    // It never listens: everything that is waited for happens in this process, and whoever waits is made to look.
    const hub = new WorkHub("");
    this.resources = {
      pool: pool(),
      flusher: new Flusher(pool()),
      hub,
      slots: new CallSlots(pool(), hub, "seed"),
      gates: new Gates(pool()),
      bounded: new BoundedWork(pool()),
      models: { find: async () => model },
      toolbox: toolbox(pool()),
      engineTools: ENGINE_TOOLS,
      workerId: "seed",
      now: () => new Date(),
      random: Math.random,
      isLeaving: () => false,
      launch: (ids) => this.begin(ids),
      atFaultPoint: async (point) => {
        if (point === "in-wait" || point === "after-result") this.lookAround();
        if (point === "in-wait") this.stand();
      },
    };
  }

  begin(agentRunIds: readonly string[]): void {
    for (const id of agentRunIds) this.working.push(execute(id, this.resources, (journal) => this.track(journal)));
  }

  /** An agent asked another one something, or answered it. */
  private lookAround(): void {
    for (const journal of this.journals) journal.escalated();
    this.resources.hub.lookAgain();
  }

  answered(requestId: string): void {
    this.resources.hub.tell("answered", requestId);
  }

  /** Until nobody works any more, children included. */
  async ended(): Promise<void> {
    for (const work of this.working) await work;
  }

  /** Lets go of the run as a process that ends would: its rows say where somebody else goes on. */
  async leave(): Promise<void> {
    for (const journal of this.journals) journal.abort();
    await this.ended();
  }

  private track(journal: Journal): () => void {
    this.journals.add(journal);
    return () => this.journals.delete(journal);
  }
}

function directed(direct: Direction, onHang: () => void): Model {
  const rehearsal = rehearsalModel({ pauseMs: 0 });
  return {
    ...rehearsal,
    price: PRICE,
    async complete(request) {
      const act = await direct(request);
      switch (act) {
        case "refuses":
          throw new ModelError(
            "bad_request",
            "Refused on purpose, to show what a failure looks like. This is an example.",
          );
        case "hangs":
          onHang();
          return new Promise((_, reject) => {
            request.signal.addEventListener("abort", () =>
              reject(new ModelError("cancelled", "The call was cancelled.")),
            );
          });
        case "answers":
          return rehearsal.complete(request);
        default:
          return toReply(act, request);
      }
    },
  };
}
