import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { formatBytes } from "@/components/ui/format";

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export const bytesOf = (text: string) => encoder.encode(text).length;

/** A titled piece of content with its size and a way to copy it. */
export function Part({
  title,
  copy,
  what,
  children,
}: {
  title: ReactNode;
  copy?: string;
  what?: string;
  children: ReactNode;
}) {
  return (
    <section>
      <header className="part-head">
        <h3 className="section-label">{title}</h3>
        {copy !== undefined && (
          <span className="row part-tools">
            <span className="t3 fs11 num">{formatBytes(bytesOf(copy))}</span>
            <CopyButton text={copy} what={what ?? "this"} />
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
    <details className="fold" open={open}>
      <summary>
        <span className="b">{title}</span>
        <span className="ell t3 fs12 grow">{note}</span>
        <span className="t3 fs11 num">{formatBytes(size)}</span>
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}
