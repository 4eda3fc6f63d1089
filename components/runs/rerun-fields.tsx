"use client";

import { Select, Switch } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { RerunPlan } from "@/server/runs/step-schema";
import { contextDraftOf } from "./context-draft";
import type { Rerun, StartRunDraft } from "./start-run-draft";

type Props = {
  form: StartRunDraft["form"];
  rerunOf: Rerun;
  /** It is run again with the same team or agent; another has other versions. */
  isSameTarget: boolean;
};

/** Which version repeats a run, and what happens anew. */
export function RerunFields({ form, rerunOf, isSameTarget }: Props) {
  const trpc = useTRPC();
  const { version, askBeforeWrites } = form.values;
  const {
    data: plan,
    error,
    isPlaceholderData,
  } = useQuery(trpc.runs.rerunPlan.queryOptions({ runId: rerunOf.id, version }, { placeholderData: keepPreviousData }));
  const take = useEffectEvent((context: RerunPlan["context"]) => {
    if (form.values.contextOf === rerunOf.id) return;
    form.setFieldValue("context", contextDraftOf(context));
    form.setFieldValue("contextOf", rerunOf.id);
  });
  const context = isPlaceholderData ? undefined : plan?.context;
  useEffect(() => {
    if (context !== undefined) take(context);
  }, [context]);
  if (error) return <Note tone="warn">Its versions could not be read. {errorWords(error).sentence}</Note>;
  if (!plan) return <p className="t3 fs12">Looking at what it did…</p>;
  const newest = plan.versions[0]?.number ?? null;
  return (
    <>
      {isSameTarget && plan.versions.length > 1 && (
        <Select
          label="Version"
          description="A draft cannot be run: publish it, then it is listed here."
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={plan.versions.map(({ number, isOfRun }) => ({
            value: String(number),
            label: versionWords(number, newest, isOfRun),
          }))}
          value={String(version ?? newest)}
          onChange={(chosen) => form.setFieldValue("version", Number(chosen) === newest ? null : Number(chosen))}
          allowDeselect={false}
          searchable={plan.versions.length > 8}
        />
      )}
      {plan.effectsTotal > 0 && (
        <Note tone="warn">
          The run before made {formatPlural(plan.effectsTotal, "call")} that wrote ({plan.effectTools.join(", ")}). They
          stay done, and the new run may make the same again.
        </Note>
      )}
      <Switch
        label="Ask me before each call that writes"
        description={isSameTarget ? writesWords(plan) : undefined}
        checked={askBeforeWrites}
        onChange={(event) => form.setFieldValue("askBeforeWrites", event.currentTarget.checked)}
      />
    </>
  );
}

function versionWords(number: number, newest: number | null, isOfRun: boolean): string {
  const words = [...(number === newest ? ["newest"] : []), ...(isOfRun ? ["as in the run before"] : [])];
  return words.length > 0 ? `v${number}, ${words.join(", ")}` : `v${number}`;
}

function writesWords({ writes }: RerunPlan): string {
  return writes.length === 0
    ? "No tool of this version writes."
    : `Tools of this version that write: ${writes.join(", ")}.`;
}
