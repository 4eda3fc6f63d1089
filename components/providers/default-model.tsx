"use client";

import { Select } from "@mantine/core";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { describePrice } from "./prices";
import { useModelsChanged } from "./use-models-changed";
import { useWhyNotOwn } from "./use-why-not-own";

/** What answers for every agent that names no model of its own; one click changes it. */
export function DefaultModel() {
  const trpc = useTRPC();
  const { model } = useMe();
  const { data: choices } = useSuspenseQuery(trpc.providers.models.queryOptions());
  const changed = useModelsChanged();
  const change = useMutation(trpc.providers.setDefaultModel.mutationOptions({ onSettled: changed }));
  const whyNot = useWhyNotOwn();
  const chats = choices.filter(({ kind }) => kind === "chat");
  const chosen = chats.find(({ ref }) => ref === model.ref);
  const options = chats.map(({ ref, label }) => ({ value: ref, label }));
  return (
    <section className="default-model" aria-label="Model of this workspace">
      <Select
        className="default-model-select"
        label="This workspace uses"
        data={chosen ? options : [...options, { value: model.ref, label: `${model.label} (gone)` }]}
        value={change.isPending ? (change.variables.model ?? model.ref) : model.ref}
        onChange={(ref) => ref !== null && ref !== model.ref && change.mutate({ model: ref })}
        allowDeselect={false}
        searchable={options.length > 8}
        disabled={whyNot !== null || change.isPending}
        description={whyNot ?? undefined}
        error={change.error ? errorWords(change.error).sentence : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
      />
      <div className="grow t2 default-model-facts">
        {chosen ? describePrice(chosen) : "This model is no longer there. Choose another."}
        <span className="t3 block fs12">
          Every agent follows it unless it names a model of its own. Runs under way keep the one they began with.
        </span>
      </div>
      {model.isRehearsal && (
        <Note tone="info">
          The rehearsal model only replays fixed rules, to try a team without a key.{" "}
          {options.length > 1
            ? "Choose a model above to get real answers."
            : "Add a provider to get real answers from a language model."}
        </Note>
      )}
    </section>
  );
}
