"use client";

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { BUILT_IN } from "./knowledge-words";

/** What choosing either means, and where a model for it is added. */
type About = { builtIn: string; model: string; where: string };

type Props = {
  value: string;
  onChange: (embeddingModel: string) => void;
  label?: string;
  builtInLabel?: string;
  /** What choosing either means, where it is not for passages of a base. */
  about?: About;
  error?: ReactNode;
  disabled?: boolean;
};

/** What turns passages into vectors: the built-in embedding, or an embedding model of a provider. */
export function EmbeddingSelect({
  value,
  onChange,
  label = "Embeddings",
  builtInLabel = "Built-in (lexical, no key needed)",
  about = OF_PASSAGES,
  error,
  disabled,
}: Props) {
  const trpc = useTRPC();
  const models = useQuery(trpc.providers.models.queryOptions());
  const offered = (models.data ?? []).filter(({ kind }) => kind === "embedding").map(({ ref }) => ref);
  const known = [BUILT_IN, ...offered];
  const data = known.includes(value) || models.isPending ? known : [...known, value];
  return (
    <Select
      label={label}
      description={describe({ value, about, offered: offered.length, problem: models.error })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={[...new Set([...data, value])].map((ref) => ({
        value: ref,
        label: ref === BUILT_IN ? builtInLabel : ref,
      }))}
      value={value}
      onChange={(next) => next !== null && onChange(next)}
      allowDeselect={false}
      searchable={offered.length > 8}
      error={error}
      disabled={disabled}
    />
  );
}

const OF_PASSAGES = {
  builtIn: "Compares words and parts of words, on this machine. It does not understand meaning.",
  model: "Finds passages by meaning. Every passage is sent to this provider once.",
  where: "under Models",
};

type Described = { value: string; about: About; offered: number; problem: unknown };

function describe({ value, about, offered, problem }: Described): string {
  if (problem) return `The providers' models could not be loaded. ${errorWords(problem).sentence}`;
  if (value !== BUILT_IN) return about.model;
  return offered === 0
    ? `${about.builtIn} A provider's embedding model would: an owner can add one ${about.where}.`
    : about.builtIn;
}
