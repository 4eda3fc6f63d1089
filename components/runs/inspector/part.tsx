"use client";

import { type ReactNode, useState } from "react";
import { useSought } from "@/components/runs/inspector/sought";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format";

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string) => encoder.encode(text).length;

/** A titled piece of content with its size and a way to copy it. */
export function Part({
  title,
  copy,
  bytes,
  what,
  children,
}: {
  title: ReactNode;
  copy?: string;
  /** Of what is there, where what can be copied is not all of it. */
  bytes?: number;
  what?: string;
  children: ReactNode;
}) {
  const size = bytes ?? (copy === undefined ? null : bytesOf(copy));
  return (
    <section>
      <header className="part-head">
        <h3 className="section-label">{title}</h3>
        {size !== null && (
          <span className="row part-tools">
            <span className="t3 fs11 num">{formatBytes(size)}</span>
            {copy !== undefined && <CopyButton text={copy} what={what ?? "this"} />}
          </span>
        )}
      </header>
      {children}
    </section>
  );
}

type FoldProps = { title: ReactNode; note?: ReactNode; size: number; open?: boolean; children: ReactNode };

/** A piece that opens on demand: its head tells who, what and how much. */
export function Fold({ title, note, size, open, children }: FoldProps) {
  return (
    <Unfolding
      className="fold"
      open={open}
      head={
        <>
          <span className="b">{title}</span>
          <span className="ell t3 fs12 grow">{note}</span>
          <span className="t3 fs11 num">{formatBytes(size)}</span>
        </>
      }
    >
      <div className="fold-body">{children}</div>
    </Unfolding>
  );
}

type UnfoldingProps = { className: string; open?: boolean; head: ReactNode; children: ReactNode };

/** What is inside is made when it is opened, or when something is looked for in the panel. */
export function Unfolding({ className, open = false, head, children }: UnfoldingProps) {
  const [isOpen, setOpen] = useState(open);
  const isSearched = useSought().trim() !== "";
  return (
    <details className={className} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {(isOpen || isSearched) && children}
    </details>
  );
}
