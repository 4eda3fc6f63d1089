"use client";

import { IconDownload, IconListTree } from "@tabler/icons-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { AnswerFeedback } from "@/components/feedback/answer-feedback";
import { CitedMarkdown } from "@/components/knowledge/cited-markdown";
import { SaveAsKnowledge } from "@/components/knowledge/save-as-knowledge";
import { entryOfText } from "@/components/runs/entry-of-run";
import { CopyButton } from "@/components/ui/copy-button";
import { Duration } from "@/components/ui/duration";
import { Money } from "@/components/ui/money";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { reasonSentence } from "@/components/ui/status-words";
import type { RemovedTurn as Removed, ConversationTurn as Turn } from "@/server/conversations/schema";
import type { FeedbackEntry } from "@/server/feedback/schema";
import { downloadText, fileNameOf } from "./download-text";

/** A question as it was asked; what became of it below. */
export function Question({ turn }: { turn: Pick<Turn, "input" | "askedBy" | "createdAt"> }) {
  return (
    <div className="question">
      <p className="question-from t3 fs12">
        <span>{turn.askedBy ?? "Somebody"}</span> <RelativeTime at={turn.createdAt} />
      </p>
      <p className="question-text">{turn.input}</p>
    </div>
  );
}

type Props = {
  turn: Turn;
  /** What was said of its answer; undefined while that is read. */
  said: readonly FeedbackEntry[] | undefined;
  /** Asks the same again; null while that cannot be done, and for all but the newest question. */
  onAskAgain: (() => void) | null;
};

/** A turn that has ended. */
export function ConversationTurn({ turn, said, onAskAgain }: Props) {
  return (
    <article className="turn" aria-label={`Question: ${turn.input.slice(0, 80)}`}>
      <Question turn={turn} />
      {turn.answer === null ? (
        <NoAnswer turn={turn} onAskAgain={onAskAgain} />
      ) : (
        <div className="turn-answer">
          <CitedMarkdown runId={turn.runId} text={turn.answer} citations={turn.citations} />
        </div>
      )}
      <TurnFoot turn={turn} said={said} />
    </article>
  );
}

/** Where a question was whose run is gone: whoever reads on knows that something is missing. */
export function RemovedTurn({ turn: { removedBy, createdAt, removedAt } }: { turn: Removed }) {
  return (
    <p className="t3 fs12 turn">
      A question asked <RelativeTime at={createdAt} /> was removed with its answer by {removedBy ?? "somebody"},{" "}
      <RelativeTime at={removedAt} />.
    </p>
  );
}

function NoAnswer({ turn: { status, statusReason }, onAskAgain }: Pick<Props, "turn" | "onAskAgain">) {
  const failed = status === "failed";
  return (
    <Note tone={failed ? "bad" : "info"}>
      <span className="b">{failed ? "This question could not be answered." : "This question was not answered."}</span>{" "}
      {statusReason && reasonSentence(statusReason)}{" "}
      {onAskAgain && (
        <button type="button" className="linkbtn" onClick={onAskAgain}>
          Ask again
        </button>
      )}
    </Note>
  );
}

function TurnFoot({ turn, said }: Pick<Props, "turn" | "said">) {
  const { answer } = turn;
  return (
    <TurnFacts runId={turn.runId}>
      <span className="num" title="From question to answer">
        <Duration from={turn.createdAt} to={turn.finishedAt} />
      </span>
      <span className="num" title="Cost">
        <Money nanoUsd={turn.costNanoUsd} unpricedCalls={turn.unpricedCalls} />
      </span>
      {answer !== null && (
        <span className="turn-acts">
          <AnswerFeedback runId={turn.runId} said={said} from="conversation" />
          <SaveAsKnowledge
            look="icon"
            start={entryOfText({ runId: turn.runId, place: null, title: turn.input, text: answer })}
          />
          <CopyButton text={answer} what="answer as Markdown" />
          <button
            type="button"
            className="icon-btn"
            aria-label="Download answer as Markdown"
            title="Download answer as Markdown"
            onClick={() => downloadText(fileNameOf(turn.input.split("\n", 1)[0] ?? ""), answer)}
          >
            <IconDownload size={15} stroke={1.75} aria-hidden />
          </button>
        </span>
      )}
    </TurnFacts>
  );
}

/** Facts under a turn; the run behind it always among them. */
export function TurnFacts({ runId, children }: { runId: string; children: ReactNode }) {
  return (
    <div className="turn-foot t2 fs12">
      <Link href={`/runs/${runId}`} className="turn-run" prefetch={false}>
        <IconListTree size={14} aria-hidden /> Open the run
      </Link>
      {children}
    </div>
  );
}
