"use client";

import { IconChevronRight } from "@tabler/icons-react";
import Link from "next/link";
import { adviceFor } from "@/components/runs/inspector/error-advice";
import { textKey } from "@/components/runs/run-live-text";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { DeadLetterView } from "@/server/dead-letters/schema";
import { DeadLetterActions } from "./dead-letter-actions";
import type { DeadLetterFilters } from "./dead-letter-filters";
import { DeadLetterStatus } from "./dead-letter-status";

type Props = {
  letter: DeadLetterView;
  whyNot: string | null;
  onFilter: (change: Partial<DeadLetterFilters>) => void;
  /** Called once it was acknowledged here and the list was read again. */
  onAcknowledged: (() => void) | undefined;
};

/** One call: what it was, why it failed, what became of it; opened, its arguments and what can be done. */
export function DeadLetterRow({ letter, whyNot, onFilter, onAcknowledged }: Props) {
  const { operation, code, stableCode, message, status, runId } = letter;
  const advice = adviceFor(letter);
  const step = `/runs/${runId}?at=${encodeURIComponent(textKey(letter.agentRunId, letter.position))}`;
  return (
    <li>
      <details className="dead-letter">
        <summary>
          <IconChevronRight size={14} className="dead-letter-twist t3" aria-hidden />
          <span className="dead-letter-what">
            <span className="b">{operation}</span> <span className="mono t2">{code}</span>
          </span>
          <span className="dead-letter-why ell t2">{message}</span>
          <DeadLetterStatus status={status} />
          <RelativeTime at={letter.at} className="t3" />
        </summary>
        <div className="col dead-letter-body">
          <Note tone="bad" aside={<CopyButton text={`${message}\n${code} ${stableCode}`} what="the error" />}>
            <span className="b block">{message}</span>
            <span className="mono t2">
              {code} <span className="t3">{stableCode}</span>
            </span>
            {advice && <span className="block">{advice}</span>}
          </Note>
          <p className="t2">
            {letter.agentName} in{" "}
            <Link href={`/runs/${runId}`} prefetch={false}>
              {letter.runTitle}
            </Link>
            .{" "}
            <Link href={step} prefetch={false}>
              Show the step
            </Link>
          </p>
          {letter.arguments !== null && <Text word="Arguments" what="the arguments" text={letter.arguments} />}
          {letter.result !== null && <Text word="Made again, it came to" what="the result" text={letter.result} />}
          {letter.note !== null && <Note tone="info">{letter.note}</Note>}
          {letter.changedBy !== null && letter.changedAt !== null && (
            <p className="t3 fs12">
              {letter.changedBy}, <RelativeTime at={letter.changedAt} />
            </p>
          )}
          {status === "open" &&
            (whyNot === null ? (
              <DeadLetterActions letter={letter} onAcknowledged={onAcknowledged} />
            ) : (
              <p className="t2">{whyNot}</p>
            ))}
          <p className="row wrap fs12">
            <button type="button" className="linkbtn" onClick={() => onFilter({ operation })}>
              Only calls of {operation}
            </button>
            <button type="button" className="linkbtn" onClick={() => onFilter({ code })}>
              Only the code {code}
            </button>
          </p>
        </div>
      </details>
    </li>
  );
}

function Text({ word, what, text }: { word: string; what: string; text: string }) {
  return (
    <section>
      <header className="dead-letter-part">
        <h3 className="section-label">{word}</h3>
        <CopyButton text={text} what={what} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre className="code dead-letter-text" tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}
