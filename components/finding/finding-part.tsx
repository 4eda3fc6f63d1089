"use client";

import "./finding.css";
import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { EmbeddingSelect } from "@/components/knowledge/embedding-select";
import { useWhyNotOwn } from "@/components/providers/use-why-not-own";
import { useTRPC } from "@/components/trpc/client";
import { ChooseFindingDialog } from "./choose-finding-dialog";
import { FindingProgress } from "./finding-progress";
import { BUILT_IN_LABEL, sentWords } from "./finding-words";

/** By which model the lists of runs and decisions find what is like a search. */
export function FindingPart() {
  const trpc = useTRPC();
  const { data: finding } = useSuspenseQuery(trpc.finding.get.queryOptions());
  // The picker reads them as well: there before it, the server and the browser draw the same.
  useSuspenseQuery(trpc.providers.models.queryOptions());
  const [chosen, setChosen] = useState<string | null>(null);
  const [asking, dialog] = useDisclosure(false);
  const whyNot = useWhyNotOwn();
  const embeddingModel = chosen ?? finding.embeddingModel;
  const sent = sentWords(finding);
  return (
    <section className="finding" aria-labelledby="finding-title">
      <h2 id="finding-title" className="section-label">
        Finding runs and decisions
      </h2>
      <div className="finding-form">
        <EmbeddingSelect
          value={embeddingModel}
          onChange={setChosen}
          label="Embedding model for finding runs and decisions"
          builtInLabel={BUILT_IN_LABEL}
          about={{
            builtIn:
              "Compares words and parts of words. Nothing leaves this installation. It does not understand meaning.",
            model: "Finds by meaning. Tasks, answers and the situation of decisions are sent to this provider.",
            where: "to a provider below",
          }}
          disabled={whyNot !== null}
        />
        {whyNot && <p className="t2 fs12">{whyNot}</p>}
        {embeddingModel !== finding.embeddingModel && (
          <div className="row">
            <Button variant="filled" onClick={dialog.open}>
              Change…
            </Button>
            <Button variant="subtle" onClick={() => setChosen(null)}>
              Leave it
            </Button>
          </div>
        )}
        <FindingProgress finding={finding} />
        {sent && <p className="t3 fs12">{sent}</p>}
      </div>
      {asking && (
        <ChooseFindingDialog
          embeddingModel={embeddingModel}
          onClose={dialog.close}
          onDone={() => {
            dialog.close();
            setChosen(null);
          }}
        />
      )}
    </section>
  );
}
