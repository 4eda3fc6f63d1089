import { deriveId } from "../ids";

/** What is copied into a fork, as far as ids go. Agent runs with each parent before its children. */
export type Copied = {
  agents: readonly { id: string; parentId: string | null }[];
  decisions: readonly { id: string; agentRunId: string; position: number; ordinal: number }[];
  requests: readonly { id: string; agentRunId: string; position: number; kind: string }[];
  mails: readonly { id: string; fromId: string; toId: string }[];
  steers: readonly { id: string }[];
};

/** Sendings of one effect, and questions of one place after interruptions, that are looked for. */
const MOST_TIMES = 20;
/** Places of an agent run after the last step it began; a policy's parts and tasks may lie there. */
const SPARE_PLACES = 200;

/**
 * Ids of the copies, by those of the originals. What the engine derives from an agent run and a place (ids.ts) is derived from the copied
 * agent run and the same place, so that an execution of the fork finds it; all else from the fork and the original. So a second try of the
 * same fork comes to the same ids.
 * @param lastPositions newest position of each agent run
 * @param setAside requests and decisions that must not be found again: what they are about is done anew
 */
export function forkIds(
  runId: string,
  copied: Copied,
  lastPositions: ReadonlyMap<string, number>,
  setAside: ReadonlySet<string>,
): Map<string, string> {
  const ids = new Map<string, string>();
  const placesOf = new Map<string, Map<string, string>>();
  const idOf = (old: string) => ids.get(old) ?? deriveId(runId, old);
  /** Of what an agent run may have brought into being, the place it comes from. */
  const placeOf = (owner: string, id: string): string | undefined => {
    const known = placesOf.get(owner) ?? tableOf(owner, (lastPositions.get(owner) ?? 0) + SPARE_PLACES);
    placesOf.set(owner, known);
    return known.get(id);
  };
  const derived = (owner: string, place: string | undefined, old: string) =>
    ids.set(old, place === undefined ? deriveId(runId, old) : deriveId(idOf(owner), place));

  for (const { id, parentId } of copied.agents) {
    if (parentId === null) ids.set(id, deriveId(runId, "root"));
    else derived(parentId, placeOf(parentId, id), id);
  }
  for (const { id, agentRunId, position, ordinal } of copied.decisions) {
    const place = `decision ${position}.${ordinal}`;
    derived(agentRunId, !setAside.has(id) && deriveId(agentRunId, place) === id ? place : undefined, id);
  }
  for (const request of copied.requests) {
    derived(request.agentRunId, setAside.has(request.id) ? undefined : placeOfRequest(request), request.id);
  }
  for (const { id, fromId, toId } of copied.mails) {
    const owner = placeOf(fromId, id) === undefined ? toId : fromId;
    derived(owner, placeOf(owner, id), id);
  }
  for (const { id } of copied.steers) ids.set(id, deriveId(runId, id));
  return ids;
}

function tableOf(owner: string, places: number): Map<string, string> {
  const table = new Map<string, string>();
  for (let n = 0; n <= places; n++) {
    for (const what of ["child", "pattern", "task", "mail", "mail about task"]) {
      table.set(deriveId(owner, `${what} ${n}`), `${what} ${n}`);
    }
  }
  return table;
}

/** Where a question was asked; undefined for one of the whole run, whose id comes from that. */
function placeOfRequest({ id, agentRunId, position }: Copied["requests"][number]): string | undefined {
  const nth = Array.from({ length: MOST_TIMES }, (_, n) => n);
  const places = [
    ...["question", "approval", "loop"].map((what) => `${what} ${position}`),
    ...nth.map((sending) => `effect ${position}.${sending}`),
  ];
  return nth
    .flatMap((again) => places.map((place) => `request ${place}${again ? ` again ${again}` : ""}`))
    .find((place) => deriveId(agentRunId, place) === id);
}

/** A value with ids of copies in place of those of the originals, wherever they stand alone. */
export function withIds(json: string, ids: ReadonlyMap<string, string>): object {
  return JSON.parse(json, (_key, value: unknown) => (typeof value === "string" ? (ids.get(value) ?? value) : value));
}
