/** Numbers that look random and are the same every time for the same words (mulberry32 over an FNV hash). */
export class Random {
  private state: number;

  constructor(words: string) {
    let hash = 2_166_136_261;
    for (const character of words) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619);
    this.state = hash >>> 0;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Throws RangeError for an empty list. */
  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.next() * list.length)];
    if (picked === undefined) throw new RangeError("There is nothing to pick from.");
    return picked;
  }
}
