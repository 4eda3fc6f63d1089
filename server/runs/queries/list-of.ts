/** Values in the order they are first asked for. */
export function listOf<T>(): { values: T[]; placeOf: (value: T) => number } {
  const places = new Map<T, number>();
  const values: T[] = [];
  return {
    values,
    placeOf: (value) => {
      const known = places.get(value);
      if (known !== undefined) return known;
      places.set(value, values.push(value) - 1);
      return values.length - 1;
    },
  };
}
