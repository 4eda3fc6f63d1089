"use client";

import "@/components/editor/editor.css";
import { Button, Modal, Switch } from "@mantine/core";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { alwaysAskedWords, effectLines, keptWords } from "@/components/runs/inspector/retry-words";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Note } from "@/components/ui/note";

type Place = { runId: string; agentRunId: string; position: number };
type Props = { place: Place; onClose: () => void };

/** Says what a retry from a step keeps and what stays done, and starts it. */
export function RetryDialog({ place, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title="Retry from this step" size={520}>
      <LoadBoundary pending={<p className="t2">Looking at what was done…</p>} failed="This step cannot be retried">
        <RetryForm place={place} onClose={onClose} />
      </LoadBoundary>
    </Modal>
  );
}

function RetryForm({ place, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [askBeforeWrites, setAsk] = useState(true);
  const { data: plan } = useSuspenseQuery(trpc.runs.retryPlan.queryOptions(place));
  const retry = useMutation(
    trpc.runs.retryFrom.mutationOptions({
      onSuccess: ({ runId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() });
        onClose();
        router.push(`/runs/${runId}`);
      },
    }),
  );
  const always = alwaysAskedWords(plan);
  return (
    <>
      <div className="col">
        {retry.error && (
          <Note tone="bad" role="alert">
            {errorWords(retry.error).sentence}
          </Note>
        )}
        <p className="t2">{keptWords(plan)}</p>
        {plan.effects.length > 0 && (
          <Note tone="warn">
            <span className="b block">These already happened, and stay done:</span>
            <ul className="plain-list">
              {effectLines(plan.effects).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            {plan.effectsTotal > plan.effects.length && (
              <span className="block">and {formatPlural(plan.effectsTotal - plan.effects.length, "more call")}.</span>
            )}
          </Note>
        )}
        <Switch
          label="Ask me before each call that writes"
          description={always}
          checked={askBeforeWrites}
          onChange={(event) => setAsk(event.currentTarget.checked)}
        />
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="filled"
          data-autofocus
          loading={retry.isPending}
          onClick={() => retry.mutate({ ...place, askBeforeWrites })}
        >
          Retry from here
        </Button>
      </div>
    </>
  );
}
