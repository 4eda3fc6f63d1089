"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { Answer, RequestView } from "@/server/engine/events";

/**
 * Sends an answer. Nothing is shown as answered before the server says so, because an answer counts once and somebody
 * else may have been first; `settled` is the request as it stands afterwards, `counted` whether this answer was it.
 */
export function useAnswerRequest(requestId: string, onSettled?: (request: RequestView) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const mutation = useMutation(
    trpc.requests.answer.mutationOptions({
      onSuccess: ({ request }) => {
        onSettled?.(request);
        for (const queryKey of [trpc.requests.list.pathKey(), trpc.runs.list.pathKey(), trpc.runs.summary.pathKey()]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      },
    }),
  );
  return {
    send: (answer: Answer) => {
      if (!mutation.isPending) mutation.mutate({ requestId, answer });
    },
    sending: mutation.isPending ? (mutation.variables?.answer ?? null) : null,
    settled: mutation.data?.request ?? null,
    counted: mutation.data?.counted ?? null,
    refusal: mutation.error ? refusal(mutation.error) : null,
  };
}

function refusal(error: unknown): string {
  const { sentence, answered } = errorWords(error);
  // Safe to repeat: whichever arrives first counts, and the second changes nothing.
  return answered ? sentence : `${sentence} You can send it again: an answer counts only once.`;
}
