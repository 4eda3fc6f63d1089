"use client";

import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { BUILT_IN } from "@/components/knowledge/knowledge-words";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { estimateWords, providerOf } from "./finding-words";
import { useChooseFinding } from "./use-choose-finding";

type Props = { embeddingModel: string; onClose: () => void; onDone: () => void };

/** Says what leaves, how much of it and at what cost, before any of it does. */
export function ChooseFindingDialog({ embeddingModel, onClose, onDone }: Props) {
  const trpc = useTRPC();
  const choose = useChooseFinding(onDone);
  const isBuiltIn = embeddingModel === BUILT_IN;
  const estimate = useQuery({ ...trpc.finding.estimate.queryOptions({ embeddingModel }), staleTime: 0, gcTime: 0 });
  const refusal = choose.error ?? estimate.error;
  return (
    <Modal
      opened
      onClose={onClose}
      title={isBuiltIn ? "Find by likeness of words?" : `Find by ${embeddingModel}?`}
      size={520}
    >
      <div className="col form">
        {isBuiltIn ? (
          <p className="t2">
            Nothing more is sent to a provider. Runs and decisions are compared by their words again, on this
            installation; what that takes is made anew in the background, which costs nothing.
          </p>
        ) : (
          <>
            <p className="t2">
              Then these are sent to “{providerOf(embeddingModel)}”: the task and the answer of each run that has ended,
              the situation of each decision (what the agent was asked, what was said last, and the options), the
              beginnings of long texts only; and what people search for in the two lists by meaning. What is there
              already is sent now, new ones as they come.
            </p>
            <p className="t2">They are sent as they are stored here: what was taken out as personal data stays out.</p>
            <p className="finding-estimate" role="status">
              {estimate.data ? estimateWords(estimate.data) : estimate.error ? "" : "Counting what there is…"}
            </p>
          </>
        )}
        <p className="t2">
          {isBuiltIn
            ? "Until a run or a decision is done it is not found by likeness."
            : "Until a run or a decision is done it is not found by meaning. The search by words always finds all."}
        </p>
        {refusal && (
          <Note tone="bad" role="alert">
            {errorWords(refusal).sentence}
          </Note>
        )}
        <div className="row form-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="filled"
            disabled={!estimate.data}
            loading={choose.isPending}
            onClick={() => choose.mutate({ embeddingModel })}
          >
            {isBuiltIn ? "Find by likeness" : "Send them and find by meaning"}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
