import { MOST_FOUND } from "@/components/runs/inspector/find-in-text";

/** Entries of a long object or list shown at first, and with each "Show more". */
export const ENTRIES_SHOWN = 100;
/** What a value may take up when it is first shown, and when all of it is unfolded. */
const LINES_AT_FIRST = 60;
const LINES_AT_MOST = 2_000;
const DEEPEST_SEARCHED = 200;
const STRING_SHOWN = { characters: 400, lines: 8 };
const STRING_AT_MOST = 200_000;
const KEY_SHOWN = 200;

type Container = Record<string, unknown> | readonly unknown[];

/** A line of the tree: an entry of an object or list, or the button for entries that are not shown. */
export type JsonRow = EntryRow | MoreRow;
type Place = {
  /** Its own; of the button, that of what holds it, and a star. */
  id: string;
  /** Of the object or list it stands in. */
  parent: string;
  depth: number;
};
export type EntryRow = Place & {
  type: "entry";
  label: string;
  value: unknown;
  /** Of how many it is the how-maniest. */
  at: number;
  of: number;
  /** Null: there is nothing to fold. */
  isOpen: boolean | null;
  /** As a program would reach it: items[3].name */
  path: string;
};
type MoreRow = Place & { type: "more"; hidden: number; shown: number };

export type JsonLook = {
  /** Ids of what is unfolded. */
  open: ReadonlySet<string>;
  /** How many entries of a long one are shown, by id; absent: the first `ENTRIES_SHOWN`. */
  shown: ReadonlyMap<string, number>;
  /** Entries shown beside those, by id: something was found in them. */
  found: ReadonlyMap<string, readonly number[]>;
};

/** The lines of a value that has entries, as it is unfolded. Of what is folded nothing is looked at. */
export function jsonRows(value: Container, look: JsonLook): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (holder: Container, id: string, path: string, depth: number) => {
    const keys = keysOf(holder);
    const shown = Math.min(keys.length, look.shown.get(id) ?? ENTRIES_SHOWN);
    const found = (look.found.get(id) ?? []).filter((index) => index >= shown).sort((a, b) => a - b);
    const entry = (index: number) => {
      const key = keys.at(index);
      const row = entryRow({ holder, key, at: index + 1, of: keys.length, parent: { id, path, depth } }, look);
      rows.push(row);
      if (row.isOpen && isContainer(row.value)) add(row.value, row.id, row.path, depth + 1);
    };
    for (let index = 0; index < shown; index++) entry(index);
    for (const index of found) entry(index);
    const hidden = keys.length - shown - found.length;
    if (hidden > 0) rows.push({ type: "more", id: `${id}/*`, parent: id, depth, hidden, shown });
  };
  add(value, "", "", 0);
  return rows;
}

type EntryOf = {
  holder: Container;
  key: string | number;
  at: number;
  of: number;
  parent: { id: string; path: string; depth: number };
};

function entryRow({ holder, key, at, of, parent }: EntryOf, { open }: JsonLook): EntryRow {
  const value = (holder as Record<string | number, unknown>)[key];
  const id = idOf(parent.id, key);
  return {
    ...{ type: "entry", id, parent: parent.id, depth: parent.depth, value, at, of },
    label: typeof key === "number" ? String(key) : clip(key, KEY_SHOWN),
    isOpen: isFoldable(value) ? open.has(id) : null,
    path: pathOf(parent.path, key),
  };
}

/** What is unfolded when a value is first shown: level by level, as long as it stays small. */
export function openAtFirst(value: Container): Set<string> {
  return unfolded(value, LINES_AT_FIRST, true).open;
}

/** Everything, unless that is too much to look at: then from the top as far as it goes. */
export function unfoldAll(value: Container): { open: Set<string>; isAll: boolean } {
  return unfolded(value, LINES_AT_MOST, false);
}

function unfolded(value: Container, most: number, wholeLevels: boolean): { open: Set<string>; isAll: boolean } {
  const open = new Set<string>();
  let lines = linesOf(value);
  let level = [{ id: "", value }];
  while (level.length > 0) {
    const next: typeof level = [];
    let left = most - lines;
    for (const holder of level) {
      for (const [key, child] of shownEntries(holder.value)) {
        if (!isContainer(child) || countOf(child) === 0) continue;
        left -= linesOf(child);
        if (left < 0) {
          if (!wholeLevels) for (const { id } of next) open.add(id);
          return { open, isAll: false };
        }
        next.push({ id: idOf(holder.id, key), value: child });
      }
    }
    for (const { id } of next) open.add(id);
    lines = most - left;
    level = next;
  }
  return { open, isAll: true };
}

/** What has to be unfolded, and shown beside the first entries, so that every place of a text is there to be marked. */
export function findInJson(value: Container, sought: string): Pick<JsonLook, "open" | "found"> {
  const open = new Set<string>();
  const found = new Map<string, number[]>();
  const needle = sought.trim().toLowerCase();
  if (needle === "") return { open, found };
  // With a list in place of recursion: values may be as deep as they like.
  type Spot = { up: Spot | null; key: string | number; index: number; value: Container; depth: number };
  const idAt = (spot: Spot | null): string => (spot?.up ? idOf(idAt(spot.up), spot.key) : "");
  const reveal = (holder: Spot, index: number) => {
    let at = index;
    for (let spot: Spot | null = holder; spot; at = spot.index, spot = spot.up) {
      const id = idAt(spot);
      if (id !== "") open.add(id);
      const known = found.get(id) ?? [];
      if (known.includes(at)) return;
      found.set(id, [...known, at]);
    }
  };
  let places = 0;
  const stack: Spot[] = [{ up: null, key: "", index: 0, value, depth: 0 }];
  for (let spot = stack.pop(); spot; spot = stack.pop()) {
    const inner: Spot[] = [];
    const keys = keysOf(spot.value);
    for (let index = 0; index < keys.length; index++) {
      const key = keys.at(index);
      const child = (spot.value as Record<string | number, unknown>)[key];
      const isDeeper = isContainer(child) && countOf(child) > 0;
      if (isDeeper && spot.depth < DEEPEST_SEARCHED) {
        inner.push({ up: spot, key, index, value: child, depth: spot.depth + 1 });
      }
      if (!`${key}: ${isContainer(child) ? "" : scalarWords(child, true)}`.toLowerCase().includes(needle)) continue;
      reveal(spot, index);
      if (typeof child === "string" && isFoldable(child) && !scalarWords(child, false).toLowerCase().includes(needle)) {
        open.add(idOf(idAt(spot), key));
      }
      places += 1;
      if (places === MOST_FOUND) return { open, found };
    }
    stack.push(...inner.reverse());
  }
  return { open, found };
}

/** A value without entries in words. Long text is cut; `isWhole`: at a length that no page shows more of. */
export function scalarWords(value: unknown, isWhole: boolean): string {
  if (typeof value !== "string") return isContainer(value) ? (Array.isArray(value) ? "[]" : "{}") : String(value);
  return `"${isWhole ? clip(value, STRING_AT_MOST) : cut(value)}"`;
}

/** Beginning of a text that is long or has many lines. */
function cut(text: string): string {
  const lines = text.slice(0, STRING_SHOWN.characters + 1).split("\n", STRING_SHOWN.lines + 1);
  return clip(lines.length > STRING_SHOWN.lines ? `${lines.slice(0, -1).join("\n")}…` : text, STRING_SHOWN.characters);
}

const clip = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

export function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** It has entries, or is a text too long to be shown at once. */
function isFoldable(value: unknown): boolean {
  if (typeof value === "string") return cut(value) !== value;
  return isContainer(value) && countOf(value) > 0;
}

export const countOf = (value: Container) => (Array.isArray(value) ? value.length : Object.keys(value).length);

/** The keys of an object, or the places of a list without making each. */
function keysOf(value: Container): { length: number; at: (index: number) => string | number } {
  if (Array.isArray(value)) return { length: value.length, at: (index) => index };
  const keys = Object.keys(value);
  return { length: keys.length, at: (index) => keys[index] ?? "" };
}

const linesOf = (value: Container) => Math.min(countOf(value), ENTRIES_SHOWN);

function shownEntries(value: Container): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(0, ENTRIES_SHOWN).map((child, index) => [index, child]);
  return Object.entries(value).slice(0, ENTRIES_SHOWN);
}

/** A slash in a key is none between keys. */
const idOf = (parent: string, key: string | number) =>
  `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("*", "~2")}`;

function pathOf(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}
