"use client";

import { Tooltip } from "@mantine/core";
import { IconMessagePlus, IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import { useState } from "react";
import { useMe, useWhyNotAct } from "@/components/layout/use-me";
import { useHydrated } from "@/components/runs/use-hydrated";
import { formatPlural } from "@/components/ui/format";
import { laterDialog } from "@/components/ui/later";
import { type FeedbackEntry, isVote } from "@/server/feedback/schema";
import { useGiveFeedback } from "./use-give-feedback";

/** Loaded when somebody says more, or reads what was said. */
const FeedbackDialog = laterDialog(() => import("./feedback-dialog").then((it) => it.FeedbackDialog));

const THUMBS = [
  { type: "positive", icon: IconThumbUp, word: "Good answer" },
  { type: "negative", icon: IconThumbDown, word: "Bad answer" },
] as const;

type Props = {
  runId: string;
  /** What was said of it; undefined while that is read. */
  said: readonly FeedbackEntry[] | undefined;
  /** Where it is given: kept with it. */
  from: "run" | "conversation";
};

/** Thumbs for an answer, and a way to say more (INT-LEARN-02). A press on one's own thumb takes the vote back. */
export function AnswerFeedback({ runId, said, from }: Props) {
  const me = useMe();
  const whyNot = useWhyNotAct();
  const { give, remove, isBusy } = useGiveFeedback();
  const [isOpen, setIsOpen] = useState(false);
  // What was read ahead may arrive between the page and its script.
  const isHydrated = useHydrated();
  if (!said || !isHydrated) return null;
  const own = said.find(({ type, userId }) => isVote(type) && userId === me.user.id);
  const press = (type: "positive" | "negative") => {
    if (isBusy) return;
    if (own?.type === type) remove.mutate({ feedbackId: own.id });
    else give.mutate({ runId, type, metadata: { from } });
  };
  const inWords = said.filter(({ content }) => content !== "").length;
  const words =
    inWords === 0
      ? "Say more of this answer"
      : `Read or say more of this answer: ${formatPlural(inWords, "comment")} so far`;
  // Whoever may not say anything still reads what others said.
  if (whyNot !== null && said.length === 0) return null;
  return (
    <span className="answer-feedback">
      {whyNot === null &&
        THUMBS.map(({ type, icon: Glyph, word }) => {
          const isMine = own?.type === type;
          const times = said.filter((entry) => entry.type === type).length;
          return (
            <Tooltip key={type} label={isMine ? `You said: ${word.toLowerCase()}. Press to take it back` : word}>
              <button
                type="button"
                className="icon-btn"
                aria-label={word}
                aria-pressed={isMine}
                aria-disabled={isBusy}
                onClick={() => press(type)}
              >
                <Glyph size={15} stroke={isMine ? 2.5 : 1.75} aria-hidden />
                {times > 0 && <span className="num fs12">{times}</span>}
              </button>
            </Tooltip>
          );
        })}
      <Tooltip label={words}>
        <button type="button" className="icon-btn" aria-label={words} onClick={() => setIsOpen(true)}>
          <IconMessagePlus size={15} stroke={1.75} aria-hidden />
          {inWords > 0 && <span className="num fs12">{inWords}</span>}
        </button>
      </Tooltip>
      {isOpen && (
        <FeedbackDialog runId={runId} said={said} from={from} whyNot={whyNot} onClose={() => setIsOpen(false)} />
      )}
    </span>
  );
}
