"use client";

import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { firstProblem } from "@/components/editor/first-problem";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import type { RunSpendLimits } from "@/server/engine/run-limits";
import { type RunSummary, type StartRunInput, startRunInput } from "@/server/runs/schema";
import { type ContextDraft, contextProblems, NO_CONTEXT } from "./context-draft";

/** The run that is repeated. */
export type Rerun = Pick<RunSummary, "id" | "title" | "model" | "conversationId" | "target">;

type Draft = {
  /** `targetKey` of a team or agent; null: the first there is. */
  target: string | null;
  /** Null: the workspace's. */
  model: string | null;
  input: string;
  rerunOf: Rerun | null;
  /** Of what the repeated run ran; null: the newest. */
  version: number | null;
  /** Of a repeated run. */
  askBeforeWrites: boolean;
  /** In place of those of the team, when either is given. */
  limits: RunSpendLimits;
  /** What it is about. */
  context: ContextDraft;
  /** The repeated run whose context that was to begin with; null: nobody's. */
  contextOf: string | null;
};

/** A run that is repeated acts anew: unless somebody says otherwise they are asked first. */
const AS_USUAL = { version: null, askBeforeWrites: true };
const NOTHING_IN_PARTICULAR = { context: NO_CONTEXT, contextOf: null };
const NO_LIMITS: RunSpendLimits = { maxCostNanoUsd: null, maxTokens: null, askAtRatio: null };
const limitsSchema = startRunInput.shape.limits.unwrap().shape;

/** A run that is being written, and its start. What was typed stays until the server has taken it. */
export function useStartRunDraft(onStarted?: () => void) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useForm<Draft>({
    initialValues: {
      ...{ target: null, model: null, input: "", rerunOf: null, ...AS_USUAL, limits: NO_LIMITS },
      ...NOTHING_IN_PARTICULAR,
    },
    validate: ({ input, limits, context }) => ({
      input: firstProblem(startRunInput.shape.input)(input),
      "limits.maxCostNanoUsd": firstProblem(limitsSchema.maxCostNanoUsd)(limits.maxCostNanoUsd),
      "limits.maxTokens": firstProblem(limitsSchema.maxTokens)(limits.maxTokens),
      "limits.askAtRatio": firstProblem(limitsSchema.askAtRatio)(limits.askAtRatio),
      ...contextProblems(context),
    }),
  });
  const start = useMutation(
    trpc.runs.start.mutationOptions({
      onSuccess: ({ runId }) => {
        form.setValues({
          ...{ input: "", rerunOf: null, model: null, ...AS_USUAL, limits: NO_LIMITS },
          ...NOTHING_IN_PARTICULAR,
        });
        form.clearErrors();
        void queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() });
        onStarted?.();
        router.push(`/runs/${runId}`);
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  return {
    form,
    start: (input: StartRunInput) => {
      if (!start.isPending) start.mutate(input);
    },
    /** Forgets what the last start was refused for. */
    forgetRefusal: start.reset,
    isStarting: start.isPending,
    refusal: refusalOf(start.error),
  };
}
export type StartRunDraft = ReturnType<typeof useStartRunDraft>;

/** Null when there is none, or when it is shown beside its field. */
function refusalOf(error: unknown): string | null {
  if (!error || fieldErrorsOf(error).input) return null;
  const { sentence, answered } = errorWords(error);
  if (answered) return sentence;
  return `${sentence} It is not known whether the run has started: look at the list of runs before you try again.`;
}
