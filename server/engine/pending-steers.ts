import type { ModelMessage } from "@/server/models/model";
import type { Execution } from "./execution";
import { merged } from "./journal/merged";
import type { Opened } from "./journal/opened";
import type { JournalUnit } from "./journal/unit";
import { todoUnit } from "./todo";

type Steer = Opened["steers"][number];

/** What people said to one execution of an agent run while it works, and it was not told yet. */
export class PendingSteers {
  private readonly untold: Steer[];

  constructor(private readonly execution: Execution) {
    this.untold = [...execution.journal.opened.steers];
  }

  /** Whether there is anything. Asks the database only after a hint. */
  async any(): Promise<boolean> {
    const { journal, resources } = this.execution;
    if (!journal.isSteered) return this.untold.length > 0;
    const known = new Set(journal.opened.steers.map(({ id }) => id));
    for (const steer of await journal.readSteers(resources.pool)) {
      if (known.has(steer.id)) continue;
      journal.opened.steers.push(steer);
      this.untold.push(steer);
    }
    return this.untold.length > 0;
  }

  /** It, as messages. Asks the database only after a hint. */
  async messages(): Promise<ModelMessage[]> {
    await this.any();
    return this.untold.map(messageOf);
  }

  /** The same at the end of the conversation: it counts as told. The list of the agent run goes where they cleared it. */
  async take(): Promise<JournalUnit> {
    await this.any();
    return this.takeHeard();
  }

  /** What of that was read from the database by now; what is said from now on waits. */
  takeHeard(): JournalUnit {
    if (this.untold.length === 0) return {};
    const { execution } = this;
    const taken = this.untold.splice(0);
    const clears = execution.todo !== null && taken.some(({ clearsTodo }) => clearsTodo);
    if (clears) execution.todo = null;
    return merged(
      clears ? todoUnit(null) : {},
      ...taken.map((steer) => {
        const message = messageOf(steer);
        const index = execution.messages.size;
        execution.messages.set(index, message);
        return execution.journal.message(index, message);
      }),
      { agent: { read: taken.map(({ id }) => id) } },
    );
  }
}

function messageOf({ author, text }: Steer): ModelMessage {
  return { role: "user", content: `${author} says while you work: ${text}` };
}
