/** Filters of a list that are texts: an empty one filters nothing. */
type Texts = Record<string, string>;
type Schema<F extends Texts> = {
  parse: (value: unknown) => F;
  shape: Record<keyof F, { safeParse: (value: unknown) => { success: boolean } }>;
};

const LONGEST_SEARCH = 200;

/**
 * How the filters of a list are written into an address and read from it. `names` says what each is called there, `q` for a search as on
 * every list.
 */
export function addressFilters<F extends Texts>({
  schema,
  names,
  path,
}: {
  schema: Schema<F>;
  names: Record<keyof F & string, string>;
  path: string;
}) {
  const fields = Object.keys(names) as (keyof F & string)[];
  const none = schema.parse({});
  const given = (filters: Partial<F>) =>
    fields.flatMap((field): [keyof F & string, string][] => (filters[field] ? [[field, filters[field]]] : []));
  const withQuery = (address: string, params: [string, string][]) => {
    const query = new URLSearchParams(params).toString();
    return query ? `${address}?${query}` : address;
  };
  return {
    none,
    /** Anything unknown in an address is left out, so that no link can break the page. */
    read(get: (name: string) => string | null): F {
      const known = fields.flatMap((field) => {
        const text = get(names[field])?.trim();
        const value = names[field] === "q" ? text?.slice(0, LONGEST_SEARCH) : text;
        return value && schema.shape[field].safeParse(value).success ? [[field, value]] : [];
      });
      return schema.parse(Object.fromEntries(known));
    },
    /** The address of a filtered list; what filters nothing is left out. */
    href: (filters: Partial<F>) =>
      withQuery(
        path,
        given(filters).map(([field, value]) => [names[field], value]),
      ),
    /** An address that reads the filters by their own names, and what else it is told. */
    download: (address: string, filters: F, more: Record<string, string> = {}) =>
      withQuery(address, [...given(filters), ...Object.entries(more)]),
  };
}
