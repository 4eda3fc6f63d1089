"use client";

import "@/components/runs/inspector/inspector.css";
import { Tabs } from "@mantine/core";
import { IconListSearch, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { DecisionTab } from "@/components/runs/inspector/decision-tab";
import { EventsTab } from "@/components/runs/inspector/events-tab";
import { InputTab } from "@/components/runs/inspector/input-tab";
import { tabFor, tabsOf, tabWord } from "@/components/runs/inspector/inspector-tabs";
import { MailTab } from "@/components/runs/inspector/mail-tab";
import { OutputTab } from "@/components/runs/inspector/output-tab";
import { OverviewTab, type TabProps } from "@/components/runs/inspector/overview-tab";
import { RawTab } from "@/components/runs/inspector/raw-tab";
import { Sought } from "@/components/runs/inspector/sought";
import { TasksTab } from "@/components/runs/inspector/tasks-tab";
import { rowKindOf } from "@/components/runs/row-kind";
import { decisionTitle } from "@/components/runs/run-labels";
import type { RunNode } from "@/components/runs/run-nodes";
import { isModelCall } from "@/components/runs/run-step-words";
import { CopyButton } from "@/components/ui/copy-button";
import { later } from "@/components/ui/later";
import { KINDS, KindIcon, StatusBadge } from "@/components/ui/status";

const CostTab = later(() => import("@/components/runs/inspector/cost-tab").then((it) => it.CostTab));
// Loaded when somebody looks for something.
const FindInPanel = later(() => import("@/components/runs/inspector/find-in-panel").then((it) => it.FindInPanel));

type Props = TabProps & {
  path: readonly RunNode[];
  tab: string | null;
  onTab: (tab: string) => void;
  /** Phones: the details lie over the tree. */
  onClose?: () => void;
};

/** Everything about one row, loaded when its tab is opened. */
export function Inspector({ path, tab, onTab, onClose, ...props }: Props) {
  const { state, node, onSelect } = props;
  const panel = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  /** Null: nothing is looked for. */
  const [sought, setSought] = useState<string | null>(null);
  const isFinding = sought !== null;
  const tabs = tabsOf(state, node);
  const current = tabFor(tabs, tab);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the tab, also where a key or a link changed it
  useEffect(() => {
    strip.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const kind = rowKindOf(node);
  const title = titleOf(node);
  const reason = node.item.type === "agent" ? node.item.agent.statusReason : null;
  return (
    // A sheet takes the focus as a whole: a ring around its first link would look like a choice.
    <aside className="inspector" aria-label="Details" tabIndex={-1} data-autofocus={onClose ? true : undefined}>
      <div className="insp-head">
        <nav className="insp-path" aria-label="Where it is in the run">
          {path.length === 0 && <span>{KINDS[kind].word}</span>}
          {path.map((above) => (
            <span key={above.key} className="insp-step">
              <button type="button" onClick={() => onSelect(above.key)} className="ell">
                {above.name}
              </button>
              <span aria-hidden>›</span>
            </span>
          ))}
          {path.length > 0 && <span className="ell">{KINDS[kind].word}</span>}
        </nav>
        <div className="insp-title">
          <KindIcon kind={kind} size={17} />
          <h2 className="grow ell" title={title}>
            {title}
          </h2>
          {node.item.type !== "decision" && <StatusBadge pill status={node.status} reason={reason} word={node.word} />}
          <span className="row insp-tools">
            <button
              type="button"
              className="icon-btn"
              aria-label="Find in the details"
              aria-pressed={isFinding}
              title="Find in the details"
              onClick={() => setSought(isFinding ? null : "")}
            >
              <IconListSearch size={15} stroke={1.75} aria-hidden />
            </button>
            <CopyButton text={() => panel.current?.innerText ?? ""} what="this tab" />
          </span>
          {onClose && (
            <button type="button" className="icon-btn" aria-label="Close" onClick={onClose}>
              <IconX size={18} aria-hidden />
            </button>
          )}
        </div>
      </div>
      <Tabs className="insp-tabs" value={current} onChange={(value) => value && onTab(value)}>
        <Tabs.List aria-label="Details" ref={strip}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {tabWord(each, node)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {isFinding && (
          <FindInPanel panel={panel} sought={sought} onSought={setSought} onClose={() => setSought(null)} />
        )}
        <Tabs.Panel value={current} className="insp-body scroll" key={node.key} ref={panel}>
          <Sought value={sought ?? ""}>
            {current === "overview" && <OverviewTab {...props} />}
            {current === "input" && <InputTab {...props} />}
            {current === "output" && <OutputTab {...props} />}
            {current === "decision" && <DecisionTab {...props} />}
            {current === "cost" && <CostTab {...props} />}
            {current === "events" && <EventsTab {...props} />}
            {current === "raw" && <RawTab node={node} />}
            {current === "tasks" && <TasksTab {...props} />}
            {current === "mail" && <MailTab {...props} />}
          </Sought>
        </Tabs.Panel>
      </Tabs>
    </aside>
  );
}

function titleOf({ item, name, context }: RunNode): string {
  if (item.type === "decision") return decisionTitle(item.decision);
  return item.type === "step" && isModelCall(item.kind) && context
    ? `${name}, ${item.step?.name ?? item.open?.name ?? ""}`
    : name;
}
