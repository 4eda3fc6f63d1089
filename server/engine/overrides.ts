import { z } from "zod";
import { EDITS } from "./events";

/** What is otherwise in a run than its versions say: in one that was retried from a step, or as it was started. Kept in `runs.overrides`. */
export const overrides = z.object({
  /** Since when: it was retried from a step of another run, or was started so. */
  since: z.enum(["step", "start"]).default("step"),
  /** A person is asked before each call that writes. */
  askBeforeWrites: z.boolean().default(false),
  /** Tools that acted after the step, there or further back: a person is asked before each call of them, always. */
  askBefore: z.array(z.string()).default([]),
  /** "provider/model" that answers all its agents, in place of those they name. */
  model: z.string().nullable().default(null),
  /** What a person changed of what the step recorded, or of what it was asked with. */
  edit: z.enum(EDITS).nullable().default(null),
});
export type Overrides = z.infer<typeof overrides>;

/** Why a person is asked before a call that writes, in a sentence; null: the call may be made. */
export function whyAsk({ since, askBeforeWrites, askBefore }: Overrides, tool: string): string | null {
  if (askBefore.includes(tool)) {
    return `This run was retried from a step, and ${tool} had acted after that step. A call of it may do the same a second time.`;
  }
  if (!askBeforeWrites) return null;
  return since === "start"
    ? "Whoever started this run wants to be asked before each call that writes."
    : "This run was retried from a step. It asks before each call that writes.";
}
