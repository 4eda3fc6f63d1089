"use client";

import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { type StartRunInput, startRunInput } from "@/server/runs/schema";

type Draft = { teamId: string | null; input: string };

/** A run that is being written, and its start. What was typed stays until the server has taken it. */
export function useStartRunDraft(onStarted?: () => void) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const form = useForm<Draft>({
    initialValues: { teamId: null, input: "" },
    validate: { input: firstProblem },
  });
  const start = useMutation(
    trpc.runs.start.mutationOptions({
      onSuccess: ({ runId }) => {
        form.setFieldValue("input", "");
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

function firstProblem(input: string): string | null {
  const result = startRunInput.shape.input.safeParse(input);
  return result.success ? null : (result.error.issues[0]?.message ?? "This cannot be used.");
}
