import { BUILT_IN } from "@/server/retrieval/compared-by";
import { type Comparable, VECTORS_A_BATCH } from "@/server/retrieval/prepare-vectors";
import { tokensIn } from "@/server/retrieval/search-vector";
import { textsOf } from "@/server/retrieval/vector-of-parts";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { COMPARABLES } from "../constants";
import type { FindingEstimate } from "../schema";
import { countPrepared } from "./count-prepared";
import { costAt } from "./get-finding";

/** Batches of each kind that are read to tell how long texts are here: somebody waits. */
const BATCHES_READ = 8;
const LONG_AGO = new Date(0);
/** No vector has this length: what is read are the newest, whether they have a vector or not. */
const NO_DIMS = -1;

/** What would be sent to the provider of a model if it were chosen now, from the length of the newest texts. Vectors of it that are still there are kept. */
export async function estimateFinding(workspaceId: WorkspaceId, embeddingModel: string): Promise<FindingEstimate> {
  const counted = await countPrepared(workspaceId, { model: embeddingModel, dims: null });
  const missing = {
    runs: counted.runs.total - counted.runs.ready - counted.runs.refused,
    decisions: counted.decisions.total - counted.decisions.ready - counted.decisions.refused,
  };
  if (embeddingModel === BUILT_IN.model) return { ...missing, texts: 0, tokens: 0, costNanoUsd: 0 };
  let [texts, tokens] = [0, 0];
  for (const rows of COMPARABLES) {
    const read = await readSome(rows, workspaceId);
    const times = read.rows === 0 ? 0 : missing[rows.noun] / read.rows;
    texts += Math.round(read.texts * times);
    tokens += Math.round(read.tokens * times);
  }
  return { ...missing, texts, tokens, costNanoUsd: await costAt(workspaceId, embeddingModel, tokens) };
}

/** In batches, as they are sent: what comes again within one is sent once. */
async function readSome(rows: Comparable, workspaceId: WorkspaceId) {
  const read = { rows: 0, texts: 0, tokens: 0 };
  let until: Date | null = null;
  for (let batch = 0; batch < BATCHES_READ; batch++) {
    const found = await rows.findUnprepared(
      workspaceId,
      { model: BUILT_IN.model, dims: NO_DIMS },
      { since: LONG_AGO, until },
    );
    const parts = await rows.readParts(
      workspaceId,
      found.map(({ id }) => id),
    );
    const texts = textsOf([...parts.values()]);
    read.rows += parts.size;
    read.texts += texts.length;
    read.tokens += tokensIn(texts);
    const last = found.at(-1);
    // So many of one instant would be read again and again.
    if (!last || found.length < VECTORS_A_BATCH || until?.getTime() === last.at.getTime()) break;
    until = last.at;
  }
  return read;
}
