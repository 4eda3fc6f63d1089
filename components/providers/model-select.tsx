"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { ModelChoice } from "@/server/providers/schema";
import { describePrice } from "./prices";

type Props = {
  /** "provider/model"; null: `nullLabel`. */
  value: string | null;
  onChange: (ref: string | null) => void;
  kind?: ModelChoice["kind"];
  label?: string;
  /** What null means; false: a model must be chosen. Left out: the workspace's default, by name. */
  nullLabel?: string | false;
  description?: string;
  error?: ReactNode;
  disabled?: boolean;
};

/** Stands for null among the options. No reference is empty. */
const NONE = "";

/** Any model this workspace may use. One that is gone stays chosen, and says so. */
export function ModelSelect({ value, onChange, kind = "chat", label = "Model", nullLabel, ...rest }: Props) {
  const trpc = useTRPC();
  const models = useQuery(trpc.providers.models.queryOptions());
  const offered = (models.data ?? []).filter((model) => model.kind === kind);
  const usual = offered.find(({ isDefault }) => isDefault);
  const none = nullLabel ?? (usual ? `Workspace default: ${usual.label}` : "Workspace default");
  const isGone = value !== null && models.isSuccess && !offered.some(({ ref }) => ref === value);
  const chosen = offered.find(({ ref }) => ref === value) ?? (value === null ? usual : undefined);
  const options = [
    ...(none === false ? [] : [{ value: NONE, label: none }]),
    ...offered.map((model) => ({ value: model.ref, label: model.label })),
    ...(value !== null && !offered.some(({ ref }) => ref === value)
      ? [{ value, label: isGone ? `${value} (gone)` : value }]
      : []),
  ];
  return (
    <Select
      label={label}
      description={rest.description ?? (models.error ? failed(models.error) : chosen && describePrice(chosen))}
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={options}
      value={value ?? (none === false ? null : NONE)}
      placeholder={none === false ? "Choose a model" : undefined}
      onChange={(next) => next !== null && onChange(next === NONE ? null : next)}
      allowDeselect={false}
      searchable={options.length > 8}
      nothingFoundMessage="No model of that name. An owner can add it under Models."
      error={rest.error ?? (isGone ? "This model is no longer there. Choose another." : undefined)}
      disabled={rest.disabled}
    />
  );
}

const failed = (error: unknown) => `The models could not be loaded. ${errorWords(error).sentence}`;
