"use client";

import { useCallback } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import type { ChunkView, DocumentView } from "@/server/knowledge/schema";
import { passageNumber } from "./knowledge-links";
import { PassageText } from "./passage-text";

type Props = {
  chunk: ChunkView;
  document: Pick<DocumentView, "name" | "entry">;
  search: string;
  /** The address names it. */
  isTarget: boolean;
};

/** A passage with its place in the document; its number is a link to it. */
export function Passage({ chunk, document, search, isTarget }: Props) {
  const number = passageNumber(chunk.position);
  // The title of an entry heads its first passage, and the page.
  const heading = chunk.heading === document.name ? "" : chunk.heading;
  const place = [chunk.page !== null && `Page ${chunk.page}`, heading].filter(Boolean).join(" · ");
  // Runs when the passage comes on screen as the target, not with every render.
  const show = useCallback(
    (element: HTMLLIElement | null) => {
      if (element && isTarget) element.scrollIntoView({ block: "center" });
    },
    [isTarget],
  );
  return (
    <li ref={show} id={String(number)} className="chunk" aria-current={isTarget || undefined}>
      <a className="chunk-no mono" href={`#${number}`} aria-label={`Link to passage ${number}`}>
        #{number}
      </a>
      <div className="grow">
        {place && <p className="t3 fs12 chunk-place">{place}</p>}
        <div className="chunk-text">
          <PassageText
            text={chunk.text}
            documentName={document.name}
            isEntry={document.entry !== null}
            search={search}
          />
        </div>
      </div>
      <CopyButton text={chunk.text} what={`passage ${number}`} />
    </li>
  );
}
