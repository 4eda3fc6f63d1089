/** A small generator in [0, 1) (mulberry32): what fails with a seed can be run again with it. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One of several; throws for none. */
export function oneOf<T>(random: () => number, among: readonly T[]): T {
  const found = among[Math.floor(random() * among.length)];
  if (found === undefined) throw new RangeError("nothing to choose from");
  return found;
}
