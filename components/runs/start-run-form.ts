"use client";

import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { startRunInput } from "@/server/runs/schema";

type Draft = { teamId: string | null; input: string };

/**
 * The draft of a run and its start. What was typed stays until the server has taken it. The first team counts as
 * chosen until the person picks another.
 */
export function useStartRunForm(onStarted?: () => void) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const teams = useQuery(trpc.teams.list.queryOptions());

  const form = useForm<Draft>({
    initialValues: { teamId: null, input: "" },
    validate: { input: (value) => firstProblem(startRunInput.shape.input.safeParse(value)) },
    validateInputOnBlur: false,
  });
  const team = teams.data?.find((each) => each.id === form.values.teamId) ?? teams.data?.[0] ?? null;

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

  const begin = (input: string) => {
    if (team && !start.isPending) start.mutate({ teamId: team.id, input });
  };
  const submit = form.onSubmit(({ input }) => begin(input));

  return { form, teams, team, submit, begin, isStarting: start.isPending, refusal: refusalOf(start.error) };
}
export type StartRunForm = ReturnType<typeof useStartRunForm>;

/** Null when there is none, or when it is shown beside its field. */
function refusalOf(error: unknown): string | null {
  if (!error) return null;
  if (fieldErrorsOf(error).input) return null;
  const { sentence, answered } = errorWords(error);
  if (answered) return sentence;
  return `${sentence} It is not known whether the run has started: look at the list of runs before you try again.`;
}

function firstProblem(result: ReturnType<typeof startRunInput.shape.input.safeParse>): string | null {
  return result.success ? null : (result.error.issues[0]?.message ?? "Not valid.");
}
