"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { ExampleView } from "@/server/examples/schema";
import { exampleCounts } from "./example-words";

/** Says what goes and what stays, and why, before anything goes. */
export function RemoveExamplesDialog({ examples, onClose }: { examples: readonly ExampleView[]; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const going = examples.filter(({ whyKept }) => whyKept === null);
  const staying = examples.filter(({ whyKept }) => whyKept !== null);
  const remove = useMutation(
    trpc.examples.remove.mutationOptions({
      // Every list may have held one of them. Runs first: a run that is no example any more would look like one's own.
      onSuccess: async () => {
        onClose();
        await queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() });
        await queryClient.invalidateQueries();
      },
    }),
  );
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title="Remove the examples?"
      action="Remove the examples"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
      refusal={remove.error ? errorWords(remove.error).sentence : null}
    >
      <p>
        {going.length
          ? `${exampleCounts(going)} go for good, with everything in them: what was said, decided and found, and the documents.`
          : "Nothing goes: all of them were changed or are in use. They are no longer called examples."}
      </p>
      {staying.length > 0 && going.length > 0 && (
        <>
          <p>What you changed or use stays:</p>
          <ul className="example-list">
            {staying.map(({ id, name, whyKept }) => (
              <li key={id}>
                <span className="b">{name}</span> <span className="t2">{whyKept}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="t2">Runs, agents and documents of your own are not touched.</p>
    </ConfirmDialog>
  );
}
