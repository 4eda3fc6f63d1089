"use client";

import "@/components/editor/editor.css";
import { Button, Modal, SegmentedControl, Select, Switch, Textarea, type TextareaProps } from "@mantine/core";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ModelSelect } from "@/components/providers/model-select";
import {
  draftOf,
  type EditKind,
  editFrom,
  fieldOf,
  isChoosable,
  type WhatIfDraft,
  whatIfWords,
} from "@/components/runs/inspector/what-if-draft";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { LoadBoundary } from "@/components/ui/load-boundary";
import { Note } from "@/components/ui/note";
import type { StepDetail } from "@/server/runs/step-schema";

type Place = { runId: string; agentRunId: string; position: number };
type Props = { place: Place; kinds: readonly EditKind[]; onClose: () => void };

const KIND_WORDS: Record<EditKind, string> = {
  reply: "Another choice",
  result: "Another result",
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

function WhatIfForm({ place, kinds, onClose }: Props) {
  const trpc = useTRPC();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data: was } = useSuspenseQuery(
    trpc.runs.step.queryOptions({ ...place, whole: true }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const { data: plan } = useSuspenseQuery(trpc.runs.retryPlan.queryOptions(place));
  const [draft, setDraft] = useState(() => draftOf(kinds[0] ?? "model", was));
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
    const edit = editFrom(draft, was);
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
        <WhatIfFields draft={draft} change={change} place={place} was={was} />
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

type FieldsProps = {
  draft: WhatIfDraft;
  change: (changed: Partial<WhatIfDraft>) => void;
  place: Place;
  was: StepDetail;
};

function WhatIfFields({ draft, change, place, was }: FieldsProps) {
  switch (draft.kind) {
    case "reply":
      return <ChoiceFields draft={draft} change={change} runId={place.runId} was={was} />;
    case "result":
      return (
        <WordsField
          label="Result"
          description="What the agent reads in place of what came back"
          minRows={6}
          value={draft.result}
          onWords={(result) => change({ result })}
          data-autofocus
        />
      );
    case "instructions":
      return (
        <WordsField
          label="Instructions"
          description="The system message from this step on, for this agent run only"
          minRows={8}
          value={draft.instructions}
          onWords={(instructions) => change({ instructions })}
          data-autofocus
        />
      );
    case "model":
      return (
        <ModelSelect
          value={draft.model}
          onChange={(model) => change({ model })}
          nullLabel={false}
          description="Answers all agents of the new run, also those that name another"
        />
      );
    default:
      return draft.kind satisfies never;
  }
}

type ChoiceProps = Pick<FieldsProps, "draft" | "change" | "was"> & { runId: string };

/** One of the options as they were offered, and what it needs to be carried out. */
function ChoiceFields({ draft, change, runId, was }: ChoiceProps) {
  const trpc = useTRPC();
  const { decisionId } = was;
  const decision = useQuery(
    trpc.runs.decision.queryOptions({ runId, decisionId: decisionId ?? "" }, { enabled: decisionId !== null }),
  );
  const options = (decision.data?.options ?? []).filter((option) => isChoosable(option, was));
  const chosen = options.find(({ key }) => key === draft.option);
  const field = chosen && fieldOf(chosen);
  return (
    <>
      <Select
        label="What it chooses"
        description="Options as they were offered in this step"
        placeholder="Choose one"
        data={options.map(({ key, label }) => ({ value: key, label }))}
        value={draft.option}
        onChange={(option) => change({ option })}
        searchable={options.length > 8}
        openOnFocus={false}
        data-autofocus
      />
      {chosen && <p className="t2 fs12">{chosen.description}</p>}
      {field === "prompt" && (
        <WordsField label="What it is told" minRows={4} value={draft.prompt} onWords={(prompt) => change({ prompt })} />
      )}
      {field === "args" && (
        <WordsField
          label="Arguments (JSON)"
          className="mono"
          minRows={4}
          value={draft.args}
          onWords={(args) => change({ args })}
        />
      )}
      {field === "answer" && (
        <WordsField label="Answer" minRows={4} value={draft.answer} onWords={(answer) => change({ answer })} />
      )}
    </>
  );
}

type WordsProps = Omit<TextareaProps, "onChange"> & { onWords: (words: string) => void };

/** What may be long: it grows with its words, to a height that leaves the rest of the dialog in sight. */
function WordsField({ onWords, ...props }: WordsProps) {
  return <Textarea autosize maxRows={16} {...props} onChange={(event) => onWords(event.currentTarget.value)} />;
}
