"use client";

import "./feedback.css";
import "@/components/editor/editor.css";
import { Button, Modal, SegmentedControl, Textarea } from "@mantine/core";
import { useState } from "react";
import { useMe } from "@/components/layout/use-me";
import { RelativeTime } from "@/components/ui/relative-time";
import {
  FEEDBACK_TYPES,
  type FeedbackEntry,
  type FeedbackType,
  isVote,
  MOST_CHARACTERS,
} from "@/server/feedback/schema";
import { FeedbackBadge } from "./feedback-badge";
import { FEEDBACK_WORDS } from "./feedback-words";
import { useGiveFeedback } from "./use-give-feedback";

const ASKS: Record<FeedbackType, string> = {
  positive: "What was good about it, if you like",
  negative: "What was wrong with it, if you like",
  correction: "What it should have said",
  preference: "How you would like such answers: shorter, with sources, in another tone",
};

type Props = {
  runId: string;
  said: readonly FeedbackEntry[];
  from: "run" | "conversation";
  whyNot: string | null;
  onClose: () => void;
};

/** What people said of an answer, and a form to say something oneself. */
export function FeedbackDialog({ runId, said, from, whyNot, onClose }: Props) {
  const me = useMe();
  return (
    <Modal opened onClose={onClose} title="Feedback on this answer" size={560}>
      {said.length > 0 && (
        <ul className="feedback-said">
          {said.map((entry) => (
            <Said key={entry.id} entry={entry} isOwn={whyNot === null && entry.userId === me.user.id} />
          ))}
        </ul>
      )}
      {whyNot === null ? (
        <FeedbackForm runId={runId} said={said} from={from} onClose={onClose} />
      ) : (
        <p className="t3 fs12">{whyNot}</p>
      )}
    </Modal>
  );
}

function Said({ entry, isOwn }: { entry: FeedbackEntry; isOwn: boolean }) {
  const { change, remove, isBusy } = useGiveFeedback();
  const [text, setText] = useState<string | null>(null);
  return (
    <li>
      <span className="row wrap">
        <FeedbackBadge type={entry.type} />
        <span className="t3 fs12 grow">
          {entry.by}, <RelativeTime at={entry.at} />
          {entry.editedAt !== null && ", changed"}
        </span>
        {isOwn && text === null && (
          <>
            <button type="button" className="linkbtn fs12" onClick={() => setText(entry.content)}>
              Change
            </button>
            <button
              type="button"
              className="linkbtn fs12"
              disabled={isBusy}
              onClick={() => remove.mutate({ feedbackId: entry.id })}
            >
              Remove
            </button>
          </>
        )}
      </span>
      {text === null ? (
        entry.content && <p className="prewrap">{entry.content}</p>
      ) : (
        <form
          className="col"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ feedbackId: entry.id, content: text }, { onSuccess: () => setText(null) });
          }}
        >
          <Words type={entry.type} value={text} onWords={setText} />
          <div className="row">
            <Button type="submit" loading={isBusy} disabled={!isVote(entry.type) && !text.trim()}>
              Change
            </Button>
            <Button onClick={() => setText(null)}>Cancel</Button>
          </div>
        </form>
      )}
    </li>
  );
}

function FeedbackForm({ runId, said, from, onClose }: Pick<Props, "runId" | "said" | "from" | "onClose">) {
  const me = useMe();
  const { give, isBusy } = useGiveFeedback();
  const vote = said.find(({ type, userId }) => isVote(type) && userId === me.user.id);
  const [type, setType] = useState<FeedbackType>("correction");
  const [text, setText] = useState("");
  const isReplacing = isVote(type) && vote !== undefined;
  return (
    <form
      className="col"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy) return;
        give.mutate({ runId, type, content: text, metadata: { from } }, { onSuccess: onClose });
      }}
    >
      <SegmentedControl
        aria-label="What you say of the answer"
        fullWidth
        data={FEEDBACK_TYPES.map((value) => ({ value, label: FEEDBACK_WORDS[value] }))}
        value={type}
        onChange={(value) => setType(FEEDBACK_TYPES.find((known) => known === value) ?? type)}
      />
      <Words type={type} value={text} onWords={setText} />
      <p className="t3 fs12">
        {isReplacing
          ? "This takes the place of the vote you gave."
          : "Everybody in the workspace reads it. No agent does: it changes nothing by itself."}
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" loading={isBusy} disabled={!isVote(type) && !text.trim()}>
          Save
        </Button>
      </div>
    </form>
  );
}

function Words({ type, value, onWords }: { type: FeedbackType; value: string; onWords: (words: string) => void }) {
  return (
    <Textarea
      label={isVote(type) ? "Comment" : FEEDBACK_WORDS[type]}
      placeholder={ASKS[type]}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={MOST_CHARACTERS}
      data-autofocus
      value={value}
      onChange={(event) => onWords(event.currentTarget.value)}
    />
  );
}
