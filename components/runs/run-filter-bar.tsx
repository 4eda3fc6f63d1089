"use client";

import { SegmentedControl, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFoldDown, IconFoldUp, IconLayoutSidebarRight, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useLiveStatus } from "@/components/live/live-provider";
import { LENSES, type Lens } from "@/components/runs/run-filter";
import { RunFilterMenu } from "@/components/runs/run-filter-menu";
import type { RunView } from "@/components/runs/use-run-view";

const LENS_WORDS: Record<Lens, string> = { all: "All", decisions: "Decisions", waiting: "Waiting", failed: "Failed" };
const LENS_DATA = LENSES.map((value) => ({ value, label: LENS_WORDS[value] }));

type Props = { view: RunView; live: boolean; inspector: boolean; onToggleInspector: () => void };

export function RunFilterBar({ view, live, inspector, onToggleInspector }: Props) {
  const { filter } = view;
  return (
    <div className="filterbar run-filter">
      <SegmentedControl
        value={filter.lens}
        onChange={(lens) => view.go({ filter: { lens: LENSES.find((known) => known === lens) ?? "all" } })}
        data={LENS_DATA}
        aria-label="Which rows to show"
      />
      <TextInput
        className="hide-m"
        placeholder="Filter by name or reason"
        aria-label="Filter rows by name or reason"
        leftSection={<IconSearch size={14} aria-hidden />}
        value={filter.text}
        maxLength={200}
        onChange={(event) => view.go({ filter: { text: event.currentTarget.value } })}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          view.go({ filter: { text: "" } });
          event.currentTarget.blur();
        }}
        data-page-search
      />
      <RunFilterMenu view={view} />
      <span className="grow" />
      {live && <LiveSign />}
      <Tooltip label="Unfold all (E)">
        <button type="button" className="icon-btn hide-m" aria-label="Unfold all" onClick={view.unfoldAll}>
          <IconFoldDown size={16} aria-hidden />
        </button>
      </Tooltip>
      <Tooltip label="Fold to agent runs (W)">
        <button type="button" className="icon-btn hide-m" aria-label="Fold to agent runs" onClick={view.foldToAgents}>
          <IconFoldUp size={16} aria-hidden />
        </button>
      </Tooltip>
      <Tooltip label="Details (I)">
        <button
          type="button"
          className="icon-btn hide-m"
          aria-label="Details"
          aria-pressed={inspector}
          onClick={onToggleInspector}
        >
          <IconLayoutSidebarRight size={16} aria-hidden />
        </button>
      </Tooltip>
    </div>
  );
}

/** Whether what is on screen is current. */
function LiveSign() {
  const now = useLiveStatus();
  // Following another run takes a moment, in which nothing is lost.
  const [status] = useDebouncedValue(now, now === "live" ? 0 : 1_000);
  const [wasLive, setWasLive] = useState(false);
  if (status === "live" && !wasLive) setWasLive(true);
  if (status === "live") return <span className="live-dot">Live</span>;
  if (status === "signed-out") return <span className="t3 fs12">Not live: signed out</span>;
  return <span className="live-dot off">{wasLive || status === "reconnecting" ? "Reconnecting" : "Connecting"}</span>;
}
