"use client";

import { Button, Drawer } from "@mantine/core";
import { useLocalStorage, useMediaQuery } from "@mantine/hooks";
import { type CSSProperties, useMemo } from "react";
import { usePageCrumbs } from "@/components/layout/crumbs";
import { Inspector } from "@/components/runs/inspector/inspector";
import { tabsOf } from "@/components/runs/inspector/inspector-tabs";
import { RunAnnouncer } from "@/components/runs/run-announcer";
import { RunAnswer } from "@/components/runs/run-answer";
import { NO_FILTER } from "@/components/runs/run-filter";
import { RunFilterBar } from "@/components/runs/run-filter-bar";
import { RunFoot } from "@/components/runs/run-foot";
import { RunHeader } from "@/components/runs/run-header";
import { RunHold } from "@/components/runs/run-hold";
import { RunImported } from "@/components/runs/run-imported";
import { BESIDE_DETAILS } from "@/components/runs/run-looks";
import { RunLooks } from "@/components/runs/run-looks-bar";
import { pathTo } from "@/components/runs/run-places";
import {
  activeStretches,
  countRows,
  deepestFailure,
  firstWaiting,
  newestMs,
  runAxis,
} from "@/components/runs/run-rows";
import { targetHref } from "@/components/runs/run-targets";
import { RunTree } from "@/components/runs/run-tree";
import { useControlRun } from "@/components/runs/use-control-run";
import { useLiveRun } from "@/components/runs/use-live-run";
import { useRunClock } from "@/components/runs/use-run-clock";
import { useRunKeys } from "@/components/runs/use-run-keys";
import { useRunNeighbour } from "@/components/runs/use-run-neighbour";
import { useRunView } from "@/components/runs/use-run-view";
import { useRunZoom } from "@/components/runs/use-run-zoom";
import { RunLookPanel } from "@/components/runs/views/look-panel";
import { EmptyState } from "@/components/ui/empty-state";
import { Splitter, useZoneWidth } from "@/components/ui/splitter";
import { isHeld, isTerminal } from "@/server/engine/state";
import type { RunTree as RunSnapshot } from "@/server/runs/schema";

/** The run page: header, answer, tree, details; everything in it follows the run. */
export function RunConsole({ tree, reread }: { tree: RunSnapshot; reread: () => void }) {
  const state = useLiveRun(tree, reread);
  const view = useRunView(state);
  const touch = useMediaQuery("(max-width: 899px)", false, { getInitialValueInEffect: false });
  const [inspector, setInspector] = useLocalStorage({
    key: "troupe-details-shown",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const zone = useZoneWidth({ name: "inspector", edge: "right", usualPx: 420, leastPx: 320, mostPx: 900 });
  const { run } = state;
  const control = useControlRun(run);
  const live = !isTerminal(run.status);
  const held = isHeld(run.status);
  usePageCrumbs([
    { word: run.target.name, ...(run.imported ? {} : { href: targetHref(run.target) }) },
    { word: run.title },
  ]);

  const nowMs = useRunClock(
    run.status,
    useMemo(() => newestMs(view.index), [view.index]),
  );
  const active = useMemo(() => activeStretches(view.index), [view.index]);
  const total = useMemo(() => countRows(view.index), [view.index]);
  const lastMs = run.finishedAt && !live ? Date.parse(run.finishedAt) : nowMs;
  // Its parts, because the address is read anew at every render. A phone has no axis to see it on.
  const { fromMs, toMs } = (!touch && view.zoom) || {};
  const axis = useMemo(() => {
    const zoom = fromMs === undefined || toMs === undefined ? null : { fromMs, toMs };
    return runAxis({ run, active, nowMs, zoom });
  }, [run, active, nowMs, fromMs, toMs]);
  const zoom = useRunZoom(view, axis, lastMs);

  const node = view.selected === null ? undefined : view.places.get(view.selected)?.node;
  const toggleInspector = () => setInspector((shown) => !shown);
  const onNeighbour = useRunNeighbour(run.id);
  useRunKeys({ view, zoom, tabs: node ? tabsOf(state, node) : [], onToggleInspector: toggleInspector, onNeighbour });

  const open = (key: string) => view.select(key, touch ? { sheet: true } : {});
  const showWaiting = () => {
    const waiting = firstWaiting(view.nodes, view.index);
    if (waiting) view.select(waiting, { filter: NO_FILTER, look: "steps" });
  };
  const beside = inspector && !touch && BESIDE_DETAILS.includes(view.look);
  const failure = run.status === "failed" ? deepestFailure(view.nodes, view.index) : null;
  const details = node && (
    <Inspector
      state={state}
      node={node}
      nowMs={nowMs}
      path={pathTo(view.places, node.key)}
      tab={view.tab}
      onTab={(tab) => view.go({ tab })}
      onSelect={(key, tab) => view.select(key, tab ? { tab } : {})}
      onClose={touch ? () => view.go({ sheet: false }) : undefined}
    />
  );

  return (
    <div className="run">
      <RunHeader
        run={run}
        about={state.agents.find(({ parentId }) => parentId === null)?.context?.entities ?? []}
        control={control}
        stillMs={held ? (view.nodes[0]?.endMs ?? nowMs) : null}
        onShowWaiting={showWaiting}
      />
      <RunImported run={run} />
      <RunHold run={run} control={control} />
      <RunAnswer
        folded={touch === true && view.look !== "steps"}
        state={state}
        onShowFailure={failure ? () => view.select(failure, { look: "steps", ...(touch && { sheet: true }) }) : null}
        onShowWaiting={showWaiting}
      />
      <RunLooks look={view.look} onLook={(look) => view.go({ look })}>
        {view.look === "steps" && (
          <RunFilterBar view={view} live={live} inspector={inspector} onToggleInspector={toggleInspector} />
        )}
        <div
          className={`run-body${beside ? "" : " solo"}`}
          style={{ "--inspector": `${zone.widthPx}px` } as CSSProperties}
        >
          {view.look !== "steps" ? (
            <div className="run-main">
              <RunLookPanel look={view.look} state={state} view={view} nowMs={nowMs} onOpen={open} />
            </div>
          ) : (
            <div className="run-main">
              <RunTree
                rows={view.rows}
                axis={axis}
                nowMs={nowMs}
                live={live && !held}
                held={held}
                touch={touch}
                selected={view.selected}
                lens={view.filter.lens === "decisions"}
                onSelect={open}
                onToggle={view.toggle}
                onZoom={zoom.set}
              />
              {view.rows.length === 0 && (
                <EmptyState
                  title={view.nodes.length === 0 ? "Nothing has happened yet" : "No row matches"}
                  action={
                    view.nodes.length > 0 && (
                      <Button onClick={() => view.go({ filter: NO_FILTER })}>Show all rows</Button>
                    )
                  }
                >
                  {view.nodes.length === 0
                    ? "The first agent appears here when a worker takes the run up."
                    : "Choose another filter to see the rest of the run."}
                </EmptyState>
              )}
              <RunFoot
                shown={view.rows.length}
                total={total}
                axis={axis}
                isZoomed={zoom.isZoomed}
                onZoom={(times) => (times === null ? zoom.reset() : zoom.by(times))}
              />
            </div>
          )}
          {beside && <Splitter label="Width of the details" zone={zone} />}
          {beside && details}
        </div>
      </RunLooks>
      {touch && (
        <Drawer.Root
          className="run-sheet"
          opened={view.sheet && node !== undefined}
          onClose={() => view.go({ sheet: false })}
          position="bottom"
          size="92%"
          transitionProps={{ duration: 160 }}
        >
          <Drawer.Overlay backgroundOpacity={0.35} />
          <Drawer.Content aria-label="Details">
            <Drawer.Body>{details}</Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
      <RunAnnouncer state={state} />
    </div>
  );
}
