/** A count as people read it, e.g. "12,345". */
export function figure(count: number): string {
  return new Intl.NumberFormat("en-US").format(count);
}
