import { z } from "zod";

const id = z.uuid();
const instant = z.iso.datetime();

export const ENTRY_KINDS = ["run.sealed", "run.removed", "run.expired"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const sealInput = z.strictObject({ runId: id });

/** How the record of a run stands against what was sealed. */
export const runSeal = z.object({
  /**
   * open: the run goes on. pending: it has ended, and is sealed within seconds. unchanged, changed: against its seal. broken: the ledger
   * itself was changed, so that its seal says nothing.
   */
  state: z.enum(["open", "pending", "unchanged", "changed", "broken"]),
  sealedAt: instant.nullable(),
  /** Of the record as it was sealed. */
  digest: z.string().nullable(),
});
export type RunSeal = z.infer<typeof runSeal>;

export const chainState = z.object({
  entries: z.int(),
  /** In words, what does not hold; empty: all of it does. */
  problems: z.array(z.string()),
});
export type ChainState = z.infer<typeof chainState>;
