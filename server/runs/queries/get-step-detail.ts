import { AppError } from "@/server/errors";
import type { WorkspaceId } from "@/server/workspaces/scope";
import { type StepDetail, type StepInput, type StepTextInput, toolSpec } from "../step-schema";
import { cutStep } from "./cut-step";
import { getStep } from "./get-step";

/** Input and output of a recorded step; long texts as their beginning, unless all of it is wanted. Throws NOT_FOUND. */
export async function getStepDetail(
  workspaceId: WorkspaceId,
  { whole, ...place }: StepInput & { whole: boolean },
): Promise<StepDetail> {
  const step = await getStep(workspaceId, place);
  return whole ? step : cutStep(step);
}

/** One text of a recorded step, whole. Throws NOT_FOUND, also when the step has no such text. */
export async function getStepText(
  workspaceId: WorkspaceId,
  { part, ...place }: StepTextInput,
): Promise<{ text: string }> {
  const text = textAt(await getStep(workspaceId, place), part);
  if (text === null) throw new AppError("NOT_FOUND", "This step has no such part.");
  return { text };
}

type Holder = { content?: string | null; arguments?: string; parameters?: unknown };

function textAt(step: StepDetail, part: string): string | null {
  const found = part
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], step);
  if (typeof found === "string") return found;
  const { content, arguments: given, parameters } = (found ?? {}) as Holder;
  return parameters === undefined ? (given ?? content ?? null) : JSON.stringify(toolSpec.parse(found));
}
