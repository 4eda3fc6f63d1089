/** The embedded database serves nobody else during a statement: this much of it at a time. */
const AIM_MS = 60;

/** How many rows to take at once, learned from how long the last ones took. */
export class Pace {
  constructor(
    private rows: number,
    private readonly most: number,
  ) {}

  get size(): number {
    return this.rows;
  }

  async time<T>(work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    const result = await work();
    const tookMs = performance.now() - from;
    if (tookMs > AIM_MS * 2) this.rows = Math.max(1, Math.floor(this.rows / 2));
    else if (tookMs < AIM_MS / 2) this.rows = Math.min(this.most, this.rows * 2);
    return result;
  }
}
