"use client";

import { useDeferredValue, useMemo, useState } from "react";
import { indexRun } from "@/components/runs/run-index";
import type { RunLocationChange } from "@/components/runs/run-location";
import { agentKey, buildRunNodes } from "@/components/runs/run-nodes";
import { pathTo, placesOf } from "@/components/runs/run-places";
import { allAgentKeys, foldedAtFirst, listRunRows, selectedAtFirst } from "@/components/runs/run-rows";
import type { RunState } from "@/components/runs/run-state";
import { useRunLocation } from "@/components/runs/use-run-location";

/** Which rows are shown and which one is picked. Tab, selection and filter live in the URL; folding in the page. */
export function useRunView(state: RunState) {
  const { agents, steps, decisions, requests } = state;
  const index = useMemo(() => indexRun({ agents, steps, decisions, requests }), [agents, steps, decisions, requests]);
  const nodes = useMemo(() => buildRunNodes(index), [index]);
  const places = useMemo(() => placesOf(nodes, index), [nodes, index]);
  const { location, go } = useRunLocation();
  const [opening] = useState(() => selectedAtFirst(nodes, index));
  const selected = resolve(location.selected) ?? resolve(opening) ?? nodes[0]?.key ?? null;

  const [folded, setFolded] = useState<ReadonlySet<string>>(() => without(foldedAtFirst(state), selected));
  // Its parts, because the address is read anew at every render.
  const { lens, agent, kind, minCostNanoUsd, minMs, only } = location.filter;
  // Typing goes before what it finds.
  const text = useDeferredValue(location.filter.text);
  const rows = useMemo(
    () => listRunRows({ nodes, filter: { lens, text, agent, kind, minCostNanoUsd, minMs, only }, folded }),
    [nodes, lens, text, agent, kind, minCostNanoUsd, minMs, only, folded],
  );

  /** The row a key stands for: a step that only started a child agent is shown by that child. */
  function resolve(key: string | null): string | null {
    if (key === null) return null;
    if (places.has(key)) return key;
    const dot = key.lastIndexOf(".");
    const child = index.carried.get(key.slice(0, dot))?.get(Number(key.slice(dot + 1)));
    return child && places.has(agentKey(child)) ? agentKey(child) : null;
  }

  /** The folded rows less those above a row; the same set when none is, so that nothing is listed anew. */
  function without(keys: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
    const above = key === null ? [] : pathTo(places, key).map((node) => node.key);
    return above.some((each) => keys.has(each)) ? new Set([...keys].filter((each) => !above.includes(each))) : keys;
  }

  /** A row that folding would hide hands the selection to the row it disappears into. */
  function fold(next: ReadonlySet<string>) {
    setFolded(next);
    const above = selected === null ? undefined : pathTo(places, selected).find((node) => next.has(node.key));
    if (above) go({ selected: above.key });
  }

  return {
    nodes,
    index,
    places,
    rows,
    ...location,
    selected,
    go,
    select(key: string, change: RunLocationChange = {}) {
      const target = resolve(key);
      if (target === null) return;
      setFolded((keys) => without(keys, target));
      go({ ...change, selected: target });
    },
    toggle(key: string) {
      const next = new Set(folded);
      if (!next.delete(key)) next.add(key);
      fold(next);
    },
    unfoldAll: () => fold(new Set()),
    foldToAgents: () => fold(allAgentKeys(state)),
  };
}

export type RunView = ReturnType<typeof useRunView>;
