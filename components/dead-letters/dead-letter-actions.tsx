"use client";

import { Button, Checkbox, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { DeadLetterView } from "@/server/dead-letters/schema";
import { useDeadLettersChanged } from "./use-dead-letters-changed";

type Props = { letter: DeadLetterView; onAcknowledged: (() => void) | undefined };

/** What can be done about an open one: have the call made again, or say that it was seen. */
export function DeadLetterActions({ letter: { id, repeats, runId }, onAcknowledged }: Props) {
  const trpc = useTRPC();
  const changed = useDeadLettersChanged();
  const [nothingHappened, setNothingHappened] = useState(false);
  const [note, setNote] = useState("");
  const acknowledge = useMutation(
    trpc.deadLetters.acknowledge.mutationOptions({
      onSuccess: async () => {
        await changed();
        onAcknowledged?.();
      },
    }),
  );
  const replay = useMutation(trpc.deadLetters.replay.mutationOptions({ onSettled: changed }));
  const error = acknowledge.error ?? replay.error;
  return (
    <>
      {error && (
        <Note tone="bad" role="alert">
          {errorWords(error).sentence}
        </Note>
      )}
      {repeats === "unkeyed" && (
        <Checkbox
          label="I looked: nothing happened on the far side"
          description="It cannot tell a repeated call from a new one. Only then is the call made again."
          checked={nothingHappened}
          onChange={(event) => setNothingHappened(event.currentTarget.checked)}
        />
      )}
      {repeats === "run" && (
        <p className="t2">
          A model's call is not made again by itself: start{" "}
          <Link href={`/runs/${runId}`} prefetch={false}>
            its run
          </Link>{" "}
          again.
        </p>
      )}
      <form
        className="dead-letter-do"
        onSubmit={(event) => {
          event.preventDefault();
          if (!acknowledge.isPending) acknowledge.mutate({ deadLetterIds: [id], note });
        }}
      >
        {repeats !== "run" && (
          <ReasonButton
            whyNot={
              repeats === "unkeyed" && !nothingHappened ? "Say first that nothing happened on the far side." : null
            }
            loading={replay.isPending}
            onClick={() => replay.mutate({ deadLetterId: id, nothingHappened })}
          >
            Make the call again
          </ReasonButton>
        )}
        <TextInput
          aria-label="Note"
          placeholder="Note for whoever looks later, if any"
          maxLength={1_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button type="submit" loading={acknowledge.isPending}>
          Acknowledge
        </Button>
      </form>
    </>
  );
}
