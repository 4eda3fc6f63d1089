"use client";

import { Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconArrowsVertical, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AnswerFeedback } from "@/components/feedback/answer-feedback";
import { CitedMarkdown } from "@/components/knowledge/cited-markdown";
import { SaveAsKnowledge } from "@/components/knowledge/save-as-knowledge";
import { entryOfText } from "@/components/runs/entry-of-run";
import { textKey } from "@/components/runs/run-live-text";
import type { RunState } from "@/components/runs/run-state";
import { RunStreamingText } from "@/components/runs/run-streaming-text";
import { useTRPC } from "@/components/trpc/client";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { reasonSentence } from "@/components/ui/status-words";
import { isHeld, isTerminal } from "@/server/engine/state";

/** Characters above which an answer rarely fits the place it is given. */
const LONG_ANSWER = 500;

type Props = {
  state: RunState;
  /** Until somebody unfolds it here: there is no room for it beside what is looked at. */
  folded: boolean;
  onShowFailure: (() => void) | null;
  onShowWaiting: () => void;
};

/** What the run is for: its answer, above the tree, folded where this browser last left it so. While it goes on the place of what is being written is held. */
export function RunAnswer({ state, folded, onShowFailure, onShowWaiting }: Props) {
  const [wanted, setWanted] = useState<boolean | null>(null);
  // Whoever looks through many runs folds it once.
  const [usually, setUsually] = useLocalStorage({
    key: "troupe-answer-open",
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  const open = wanted ?? (usually && !folded);
  const toggle = () => {
    setWanted(!open);
    if (!folded) setUsually(!open);
  };
  const [tall, setTall] = useState(false);
  const { answer, status } = state.run;
  const text = rootText(state);
  const streaming = isHeld(status) ? null : text;
  // The box stays once it was needed, with what was written last, so that the tree moves at most once.
  const [written, setWritten] = useState(text);
  if (text !== null && text !== written) setWritten(text);
  const Fold = open ? IconChevronDown : IconChevronRight;

  if (answer === null && isTerminal(status)) return <EndWithoutAnswer state={state} onShowFailure={onShowFailure} />;
  return (
    <section className={`answer${answer === null ? " held" : ""}`} aria-label="Answer">
      <header className="answer-head">
        <button type="button" className="answer-fold" aria-expanded={open} onClick={toggle}>
          <Fold size={13} aria-hidden />
          <h2>Answer</h2>
        </button>
        <span className="t3 fs12 ell grow">
          {answer === null ? wordsBefore(state, streaming !== null) : ""}{" "}
          {answer === null && state.run.openRequests > 0 && (
            <button type="button" className="linkbtn" onClick={onShowWaiting}>
              Show what is asked
            </button>
          )}
        </span>
        {answer !== null && open && answer.length > LONG_ANSWER && (
          <Tooltip label={tall ? "Show less" : "Show more of it"}>
            <button
              type="button"
              className="icon-btn"
              aria-label="More room for the answer"
              aria-pressed={tall}
              onClick={() => setTall(!tall)}
            >
              <IconArrowsVertical size={15} stroke={1.75} aria-hidden />
            </button>
          </Tooltip>
        )}
        {answer !== null && <RunFeedback runId={state.run.id} />}
        {answer !== null && (
          <SaveAsKnowledge
            look="icon"
            start={entryOfText({ runId: state.run.id, place: null, title: state.run.title, text: answer })}
          />
        )}
        {answer !== null && <CopyButton text={answer} what="answer as Markdown" />}
      </header>
      {open && (answer !== null || written !== null) && (
        <div className="answer-body">
          {answer !== null ? (
            <section
              className={`answer-text scroll${tall ? " tall" : ""}`}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
              tabIndex={0}
              aria-label="Text of the answer"
            >
              <CitedMarkdown runId={state.run.id} text={answer} citations={state.run.citations} />
            </section>
          ) : streaming !== null ? (
            <RunStreamingText text={streaming} label="Text the root agent is writing" />
          ) : (
            <p className="stream scroll t3">{written}</p>
          )}
        </div>
      )}
    </section>
  );
}

function RunFeedback({ runId }: { runId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.feedback.onRun.queryOptions({ runId }));
  return <AnswerFeedback runId={runId} said={data} from="run" />;
}

function EndWithoutAnswer({ state, onShowFailure }: { state: RunState; onShowFailure: (() => void) | null }) {
  const { status, statusReason } = state.run;
  const failed = status === "failed";
  return (
    <div className="answer-end">
      <Note
        tone={failed ? "bad" : "info"}
        aside={failed && statusReason && <CopyButton text={statusReason} what="why it failed" />}
      >
        <span className="b">{failed ? "The run failed and gave no answer." : "The run ended without an answer."}</span>{" "}
        {statusReason && <span>{reasonSentence(statusReason)} </span>}
        {!failed && "What was done until then is kept. "}
        {onShowFailure && (
          <button type="button" className="linkbtn" onClick={onShowFailure}>
            Show where it failed
          </button>
        )}
      </Note>
    </div>
  );
}

/** What the root agent is writing right now; null when it is not. */
function rootText(state: RunState): string | null {
  const root = state.agents.find((agent) => agent.parentId === null);
  const open = root?.openSteps.find((step) => step.kind === "model");
  return (root && open && state.texts[textKey(root.id, open.position)]?.text) || null;
}

function wordsBefore(state: RunState, streaming: boolean): string {
  const root = state.agents.find((agent) => agent.parentId === null);
  if (streaming) return `${root?.name ?? "The root agent"} is writing`;
  if (state.run.status === "queued") return "The run waits for a free worker";
  if (isHeld(state.run.status)) return "Comes after somebody resumes the run.";
  if (state.run.openRequests > 0) return "A person has to answer first.";
  return "Comes when the agents are done";
}
