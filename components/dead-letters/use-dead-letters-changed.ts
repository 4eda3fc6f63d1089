import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";

/** Has the lists and the count in the navigation read again. */
export function useDeadLettersChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const client = useQueryClient();
  return async () => {
    await Promise.all([
      client.invalidateQueries(trpc.deadLetters.list.pathFilter()),
      client.invalidateQueries(trpc.runs.summary.queryFilter()),
    ]);
  };
}
