"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { type RunLocation, readRunLocation, writeRunLocation } from "@/components/runs/run-location";
import { agentKey, buildRunNodes, standIns } from "@/components/runs/run-nodes";
import {
  allAgentKeys,
  foldedAtFirst,
  indexNodes,
  listRunRows,
  pathTo,
  selectedAtFirst,
} from "@/components/runs/run-rows";
import type { RunState } from "@/components/runs/run-state";

/** Which rows are shown and which one is picked. Tab, selection and filter live in the URL; folding in the page. */
export function useRunView(state: RunState) {
  const { agents, steps, decisions, requests } = state;
  const nodes = useMemo(
    () => buildRunNodes({ agents, steps, decisions, requests }),
    [agents, steps, decisions, requests],
  );
  const index = useMemo(() => indexNodes(nodes), [nodes]);
  const pathname = usePathname();
  const location = readRunLocation(useSearchParams());
  const [opening] = useState(() => selectedAtFirst(nodes));
  const selected = resolve(location.selected) ?? resolve(opening) ?? nodes[0]?.key ?? null;

  const [folded, setFolded] = useState<ReadonlySet<string>>(() => without(foldedAtFirst(state), selected));
  const [text, setText] = useState("");
  const rows = useMemo(
    () => listRunRows({ nodes, lens: location.lens, text, folded }),
    [nodes, location.lens, text, folded],
  );

  /** The row a key stands for: a step that only started a child agent is shown by that child. */
  function resolve(key: string | null): string | null {
    if (key === null) return null;
    if (index.has(key)) return key;
    const child = standIns({ agents, decisions }).get(key);
    return child && index.has(agentKey(child)) ? agentKey(child) : null;
  }

  /** The folded rows less those above a row; the same set when none is, so that nothing is listed anew. */
  function without(keys: ReadonlySet<string>, key: string | null): ReadonlySet<string> {
    const above = key === null ? [] : pathTo(index, key).map((node) => node.key);
    return above.some((each) => keys.has(each)) ? new Set([...keys].filter((each) => !above.includes(each))) : keys;
  }

  /** Shallow: the page has what it needs, so the server is not asked. A sheet is left with the Back button. */
  function go(change: Partial<RunLocation>) {
    const url = `${pathname}${writeRunLocation(window.location.search, change)}`;
    if (change.sheet === true && !location.sheet) window.history.pushState(null, "", url);
    else window.history.replaceState(null, "", url);
  }

  /** A row that folding would hide hands the selection to the row it disappears into. */
  function fold(next: ReadonlySet<string>) {
    setFolded(next);
    const above = selected === null ? undefined : pathTo(index, selected).find((node) => next.has(node.key));
    if (above) go({ selected: above.key });
  }

  return {
    nodes,
    index,
    rows,
    ...location,
    selected,
    text,
    setText,
    go,
    select(key: string, change: Partial<RunLocation> = {}) {
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
