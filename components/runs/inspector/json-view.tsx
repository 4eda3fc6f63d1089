"use client";

import "@/components/runs/inspector/json-view.css";
import { IconFoldDown, IconFoldUp, IconRoute } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { CodeBox } from "@/components/runs/inspector/code-box";
import { JsonLine } from "@/components/runs/inspector/json-line";
import { countOf, isContainer, type JsonRow } from "@/components/runs/inspector/json-tree";
import { useJsonLook } from "@/components/runs/inspector/use-json-look";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatPlural } from "@/components/ui/format";

/** A value as a tree that folds; one without entries as it is. */
export function JsonView({ value }: { value: unknown }) {
  return isContainer(value) && countOf(value) > 0 ? (
    <JsonTree value={value} />
  ) : (
    <CodeBox>{JSON.stringify(value) ?? "null"}</CodeBox>
  );
}

/** Text that ought to be JSON: a tree when it is, exactly as it is when not. */
export function JsonText({ text }: { text: string }) {
  const parsed = useMemo(() => parse(text), [text]);
  return parsed === undefined ? <CodeBox>{text}</CodeBox> : <JsonView value={parsed} />;
}

/** Undefined when it is no JSON object or list. */
export function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isContainer(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function JsonTree({ value }: { value: Record<string, unknown> | readonly unknown[] }) {
  const look = useJsonLook(value);
  const { rows } = look;
  const [currentId, setCurrentId] = useState<string | null>(null);
  const lines = useRef<HTMLDivElement>(null);
  const currentAt = rows.findIndex(({ id }) => id === currentId);
  const current = rows[currentAt];
  const goTo = (at: number) => {
    const line = lines.current?.children[at];
    if (line instanceof HTMLElement) line.focus();
  };
  /** Folds or unfolds, or shows more; the first of what was not shown before gets the focus. */
  const act = (row: JsonRow, at: number) => {
    if (row.type === "entry") {
      if (row.isOpen !== null) look.fold(row.id, !row.isOpen);
      return;
    }
    flushSync(() => look.showMore(row));
    goTo(at);
  };
  const press = (key: string): boolean => {
    if (!current) return false;
    switch (key) {
      case "ArrowDown":
        goTo(currentAt + 1);
        return true;
      case "ArrowUp":
        goTo(currentAt - 1);
        return true;
      case "Home":
        goTo(0);
        return true;
      case "End":
        goTo(rows.length - 1);
        return true;
      case "ArrowRight":
        if (current.type === "entry" && current.isOpen === false) act(current, currentAt);
        else goTo(currentAt + 1);
        return true;
      case "ArrowLeft":
        if (current.type === "entry" && current.isOpen) act(current, currentAt);
        else goTo(rows.findIndex(({ id }) => id === current.parent));
        return true;
      case "Enter":
      case " ":
        act(current, currentAt);
        return true;
      default:
        return false;
    }
  };
  const entry = current?.type === "entry" ? current : null;
  const folds = rows.some((row) => row.type === "entry" && row.isOpen !== null);
  return (
    <div className="json-box">
      <div className="json-bar">
        <span className={`ell grow fs12 t3${entry ? " mono" : ""}`} title={entry?.path}>
          {entry ? entry.path : formatPlural(countOf(value), "entry", "entries")}
        </span>
        {entry && (
          <>
            <CopyButton text={entry.path} what="the path of this entry" icon={IconRoute} />
            <CopyButton text={() => textOf(entry.value)} what="the value of this entry" />
          </>
        )}
        {folds && (
          <>
            <button
              type="button"
              className="icon-btn"
              aria-label="Unfold the whole value"
              title="Unfold the whole value"
              onClick={look.unfoldAll}
            >
              <IconFoldDown size={15} stroke={1.75} aria-hidden />
            </button>
            <button
              type="button"
              className="icon-btn"
              aria-label="Fold the whole value"
              title="Fold the whole value"
              onClick={look.foldAll}
            >
              <IconFoldUp size={15} stroke={1.75} aria-hidden />
            </button>
          </>
        )}
      </div>
      {look.isCut && (
        <p className="t3 fs12 json-note" role="status">
          There is too much to unfold at once: the first {formatCount(rows.length)} lines are.
        </p>
      )}
      <div
        ref={lines}
        className="json-lines scroll"
        role="tree"
        aria-label="Value"
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || !press(event.key)) return;
          event.preventDefault();
        }}
        onCopy={(event) => {
          // Marked text is copied as it is.
          if (!entry || !getSelection()?.isCollapsed) return;
          event.clipboardData.setData("text/plain", textOf(entry.value));
          event.preventDefault();
        }}
      >
        {rows.map((row, at) => (
          <JsonLine
            key={row.id}
            row={row}
            isStop={current ? row === current : at === 0}
            onFocus={() => setCurrentId(row.id)}
            onAct={() => act(row, at)}
          />
        ))}
      </div>
    </div>
  );
}

/** As it is put on the clipboard: text without quotes. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "null");
}
