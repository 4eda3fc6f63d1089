"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { doneWords, type EverythingControl, NOT_DONE } from "./everything-words";

/** Pauses, resumes or stops every run of the workspace. What came of it is told in a corner: it may be done from any page. */
export function useControlEverything() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (control: EverythingControl) => client.runs[control].mutate(),
    onSuccess: ({ runs }, control) => notifications.show({ message: doneWords(control, runs) }),
    onError: (error, control) =>
      notifications.show({ color: "red", title: NOT_DONE[control], message: errorWords(error).sentence }),
    // Also after an error: some of the runs may have been reached.
    onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() }),
  });
  return {
    isBusy: isPending,
    act: (control: EverythingControl) => {
      if (!isPending) mutate(control);
    },
  };
}
