"use client";

import "@/components/editor/editor.css";
import { Button, Modal, SegmentedControl, Switch } from "@mantine/core";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  draftOf,
  type EditKind,
  editFrom,
  type WhatIfDraft,
  whatIfWords,
} from "@/components/runs/inspector/what-if-draft";
import { WhatIfFields } from "@/components/runs/inspector/what-if-fields";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Note } from "@/components/ui/note";

type Props = {
  place: { runId: string; agentRunId: string; position: number };
  /** What can be changed there. */
  kinds: readonly EditKind[];
  /** What its agent run was asked to do. */
  task: string;
  onClose: () => void;
};

const KIND_WORDS: Record<EditKind, string> = {
  reply: "Another choice",
  result: "Another result",
  answer: "Another answer",
  instructions: "Other instructions",
  model: "Another model",
};

/** Asks what is otherwise at a step, and starts a run in which it is. */
export function WhatIfDialog(props: Props) {
  return (
    <Modal opened onClose={props.onClose} title="What if…" size={640}>
      <LoadBoundary pending={<p className="t2">Reading the step…</p>} failed="The step could not be read">
        <WhatIfForm {...props} />
      </LoadBoundary>
    </Modal>
  );
}

function WhatIfForm({ place, kinds, task, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data: was } = useSuspenseQuery(
    trpc.runs.step.queryOptions({ ...place, whole: true }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const { data: plan } = useSuspenseQuery(trpc.runs.retryPlan.queryOptions(place));
  const [draft, setDraft] = useState(() => draftOf(kinds[0] ?? "model", was, task));
  const [askBeforeWrites, setAsk] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (changed: Partial<WhatIfDraft>) => {
    setProblem(null);
    setDraft({ ...draft, ...changed });
  };
  const start = useMutation(
    trpc.runs.whatIf.mutationOptions({
      onSuccess: ({ runId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.runs.pathKey() });
        onClose();
        router.push(`/runs/${runId}`);
      },
    }),
  );
  const submit = () => {
    const edit = editFrom(draft, was, task);
    if (typeof edit === "string") setProblem(edit);
    else start.mutate({ ...place, askBeforeWrites, edit });
  };
  const refused = problem ?? (start.error && errorWords(start.error).sentence);
  return (
    <>
      <div className="col" style={{ gap: "var(--s-3)" }}>
        {refused && (
          <Note tone="bad" role="alert">
            {refused}
          </Note>
        )}
        {kinds.length > 1 && (
          <SegmentedControl
            value={draft.kind}
            onChange={(kind) => change({ kind: kinds.find((known) => known === kind) ?? draft.kind })}
            data={kinds.map((value) => ({ value, label: KIND_WORDS[value] }))}
            aria-label="What is otherwise"
          />
        )}
        <WhatIfFields draft={draft} change={change} runId={place.runId} was={was} />
        <Switch
          label="Ask me before each call that writes"
          description="What this run has done stays done; a call made again may do it a second time."
          checked={askBeforeWrites}
          onChange={(event) => setAsk(event.currentTarget.checked)}
        />
        <p className="t3 fs12">{whatIfWords(draft.kind, plan)}</p>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="filled" loading={start.isPending} onClick={submit}>
          Start the run
        </Button>
      </div>
    </>
  );
}
