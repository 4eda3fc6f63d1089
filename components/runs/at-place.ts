/** What is at a place of a column. Throws RangeError where nothing is. */
export function at<T>(values: readonly T[], place: number): T {
  if (place < 0 || place >= values.length) throw new RangeError(`row ${place} of ${values.length}`);
  return values[place] as T;
}
