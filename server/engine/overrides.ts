import { z } from "zod";
import { EDITS } from "./events";

/** What is otherwise in a run that was retried from a step than in the run it came from. Kept in `runs.overrides`. */
export const overrides = z.object({
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
export function whyAsk({ askBeforeWrites, askBefore }: Overrides, tool: string): string | null {
  if (askBefore.includes(tool)) {
    return `This run was retried from a step, and ${tool} had acted after that step. A call of it may do the same a second time.`;
  }
  return askBeforeWrites ? "This run was retried from a step. It asks before each call that writes." : null;
}
