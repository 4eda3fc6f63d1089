"use client";

import { Button, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { ProviderView } from "@/server/providers/schema";
import { ModelTestResult } from "./model-test-result";
import { useModelsChanged } from "./use-models-changed";

/** After a provider was saved: should the workspace follow one of its models? Tried first, since a list proves no key. */
export function ChooseDefault({ provider, onDone }: { provider: ProviderView; onDone: () => void }) {
  const trpc = useTRPC();
  const changed = useModelsChanged();
  const { model: current } = useMe();
  const chats = provider.models.filter(({ kind }) => kind === "chat");
  const [modelId, setModelId] = useState(chats[0]?.id ?? "");
  const chosen = chats.find(({ id }) => id === modelId);
  const use = useMutation(
    trpc.providers.setDefaultModel.mutationOptions({
      onSuccess: async () => {
        await changed();
        onDone();
      },
    }),
  );
  const test = useMutation(
    trpc.providers.testModel.mutationOptions({
      onSuccess: ({ ok }) => ok && chosen && use.mutate({ model: chosen.ref }),
    }),
  );
  const isBusy = test.isPending || use.isPending;
  const failed = test.error !== null || test.data?.ok === false;
  return (
    <div className="col provider-form">
      <p>
        “{provider.name}” is saved. This workspace uses <span className="b">{current.label}</span> now. Should all
        agents that name no model of their own follow one of the new models?
      </p>
      <Select
        label="Model"
        data={chats.map(({ id, name }) => ({ value: id, label: name }))}
        value={modelId}
        onChange={(id) => {
          if (id === null) return;
          setModelId(id);
          test.reset();
        }}
        allowDeselect={false}
        searchable={chats.length > 8}
        disabled={isBusy}
      />
      <ModelTestResult test={test} />
      {use.error && (
        <Note tone="bad" role="alert">
          {errorWords(use.error).sentence}
        </Note>
      )}
      <div className="row provider-form-actions">
        <span className="grow" />
        <Button onClick={onDone}>Not now</Button>
        {failed && chosen && (
          <Button onClick={() => use.mutate({ model: chosen.ref })} loading={use.isPending}>
            Use it all the same
          </Button>
        )}
        <Button variant="filled" loading={isBusy} onClick={() => test.mutate({ modelId })}>
          {failed ? "Test again" : "Test it and use it"}
        </Button>
      </div>
    </div>
  );
}
