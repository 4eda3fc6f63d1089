/** What a figure must be: at most, at least, or below. */
type Limit = { atMost: number } | { atLeast: number } | { below: number };

/** Every figure that has a limit, in the unit it is printed in. Others are for comparing. */
export const LIMITS: Record<string, Limit> = {
  // A run of 10,000 steps over 200 agents, and one of 45,000.
  "ui.run10k_interactive_ms": { atMost: 1_500 },
  "ui.run10k_transfer_kb": { atMost: 400 },
  "ui.run10k_longest_scroll_task_ms": { atMost: 100 },
  "ui.step_open_ms": { atMost: 200 },
  "ui.run45k_interactive_ms": { atMost: 5_000 },
  // A run in which 20 agents stream at once, 50 tokens a second each.
  "ui.live20_busy_share": { below: 50 },
  "ui.live20_step_open_busy_share": { below: 50 },
  "ui.live20_tokens_per_s": { atLeast: 48 },
  "ui.live20_lost_events": { atMost: 0 },
  // An event at a thousand who watch its run.
  "live.fanout1000_p99_ms": { below: 250 },
};

/** What is wrong with a figure, in words; null: nothing, or nobody said what it must be. What is no number is never right. */
export function missOf(name: string, value: number): string | null {
  const limit = LIMITS[name];
  if (!limit) return null;
  if ("atMost" in limit)
    return value <= limit.atMost ? null : `${name} is ${value}, and may be ${limit.atMost} at most`;
  if ("atLeast" in limit)
    return value >= limit.atLeast ? null : `${name} is ${value}, and must be ${limit.atLeast} at least`;
  return value < limit.below ? null : `${name} is ${value}, and must be below ${limit.below}`;
}

/** Figures as they are measured. With `checks`, those that miss their limit are kept, and `end` tells them. */
export class Checked {
  private readonly misses: string[] = [];
  private readonly awaited = new Set<string>();

  constructor(private readonly checks: boolean) {}

  /** Every figure with a limit whose name begins so will be measured: one that is not, by another name or by mistake, is a miss. */
  expect(beginning: string): void {
    for (const name of Object.keys(LIMITS)) if (this.checks && name.startsWith(beginning)) this.awaited.add(name);
  }

  note(name: string, value: number): void {
    this.awaited.delete(name);
    const miss = this.checks ? missOf(name, value) : null;
    if (miss) this.misses.push(miss);
  }

  /** The code to end the process with: 1 where something missed its limit. */
  end(): 0 | 1 {
    const all = [...this.misses, ...[...this.awaited].map((name) => `${name} was not measured`)];
    for (const miss of all) console.error(`MISSED ${miss}`);
    return all.length > 0 ? 1 : 0;
  }
}
