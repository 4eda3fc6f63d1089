"use client";

import { Button, Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { formatCount } from "@/components/ui/format";
import type { ModelFields, ProviderCheck } from "@/server/providers/schema";
import { describePrice } from "./prices";

type Props = {
  found: ProviderCheck["models"];
  /** Names that are saved already. */
  saved?: readonly string[];
  picked: readonly ModelFields[];
  onChange: (picked: ModelFields[]) => void;
};

/** The longest lists hold hundreds; the search finds the rest. */
const MOST_SHOWN = 60;

/** Ticks models of an endpoint's list; what is not in it can be named by hand. */
export function PickModels({ found, saved = [], picked, onChange }: Props) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const byHand = picked.filter(({ name }) => !found.some((model) => model.name === name));
  const matching = [...byHand, ...found].filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const shown = matching.slice(0, MOST_SHOWN);
  const isPicked = (name: string) => picked.some((model) => model.name === name);
  const toggle = (model: ModelFields) =>
    onChange(isPicked(model.name) ? picked.filter(({ name }) => name !== model.name) : [...picked, model]);
  const free = shown.filter(({ name }) => !saved.includes(name) && !isPicked(name));
  return (
    <div className="col pick-models">
      {found.length > 8 && (
        <TextInput
          aria-label="Search models"
          placeholder={`Search ${formatCount(found.length)} models`}
          type="search"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {shown.length > 0 && (
        <ul className="pick-list" aria-label="Models">
          {shown.map((model) => {
            const isSaved = saved.includes(model.name);
            return (
              <li key={model.name}>
                <Checkbox
                  checked={isSaved || isPicked(model.name)}
                  disabled={isSaved}
                  onChange={() => toggle(model)}
                  label={
                    <span className="row wrap">
                      <span className="b">{model.name}</span>
                      {model.kind === "embedding" && <span className="tag">embeddings, for knowledge</span>}
                      {isSaved && <span className="tag">saved already</span>}
                    </span>
                  }
                  description={describePrice(model)}
                />
              </li>
            );
          })}
        </ul>
      )}
      {found.length > 1 && shown.length > 1 && (
        <p className="row fs12 t3">
          {formatCount(picked.length)} picked
          {free.length > 0 && (
            <button type="button" className="linkbtn fs12" onClick={() => onChange([...picked, ...free])}>
              Pick {words.length > 0 || matching.length > shown.length ? "those shown" : "all"}
            </button>
          )}
          {picked.length > 0 && (
            <button type="button" className="linkbtn fs12" onClick={() => onChange([])}>
              Pick none
            </button>
          )}
        </p>
      )}
      {matching.length > shown.length && (
        <p className="t3 fs12">{formatCount(matching.length - shown.length)} more: search for them.</p>
      )}
      {matching.length === 0 && words.length > 0 && <p className="t2">No model in the list is called so.</p>}
      <ByHand
        taken={[...saved, ...picked.map(({ name }) => name)]}
        onAdd={(model) => onChange([...picked, found.find(({ name }) => name === model.name) ?? model])}
      />
    </div>
  );
}

function ByHand({ taken, onAdd }: { taken: readonly string[]; onAdd: (model: ModelFields) => void }) {
  const [name, setName] = useState("");
  const [kind, setKind] = useState<ModelFields["kind"]>("chat");
  const clean = name.trim();
  const isTaken = taken.includes(clean);
  const add = () => {
    if (!clean || isTaken) return;
    onAdd({
      ...{ name: clean, kind, contextTokens: null, inputNanoUsdPerMtok: null, outputNanoUsdPerMtok: null },
      ...{ cachedNanoUsdPerMtok: null, reasoningNanoUsdPerMtok: null },
    });
    setName("");
  };
  return (
    <div className="by-hand">
      <TextInput
        className="grow"
        label="A model that is not in the list"
        placeholder="As the provider calls it"
        maxLength={200}
        value={name}
        error={isTaken ? "This one is there already." : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Inside a form Enter would save the whole provider.
          event.preventDefault();
          add();
        }}
      />
      <SegmentedControl
        aria-label="What it is for"
        data={[
          { value: "chat", label: "Chat" },
          { value: "embedding", label: "Embeddings" },
        ]}
        value={kind}
        onChange={(value) => setKind(value as ModelFields["kind"])}
      />
      <Button onClick={add} data-disabled={!clean || isTaken || undefined} aria-disabled={!clean || isTaken}>
        Add
      </Button>
    </div>
  );
}
