"use client";

import "./requests.css";
import { IconCircleCheck, IconCircleMinus, IconClockX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RequestView } from "@/server/engine/events";
import { closedSentence } from "./answer-words";
import { RequestAnswer } from "./request-answer";
import { RequestDeadline } from "./request-deadline";
import { useAnswerRequest } from "./use-answer-request";

type Props = {
  request: RequestView;
  /** Where it comes from, e.g. a link to the run; shown beside the agent's name. */
  origin?: ReactNode;
  /** Called with the request as it stands once the server has taken an answer. */
  onSettled?: (request: RequestView) => void;
};

/** A question a run waits for: what, by when, what happens otherwise, and the ways to answer. */
export function RequestCard({ request: given, origin, onSettled }: Props) {
  const answer = useAnswerRequest(given.id, onSettled);
  // The live events may lag behind the reply to this very answer.
  const request = given.status === "open" && answer.settled ? answer.settled : given;
  const closed = closedSentence(request);
  return (
    <article className="request" data-status={request.status} aria-label={`Request of ${request.agentName}`}>
      <p className="request-from">
        <span>
          <span className="b">{request.agentName}</span>{" "}
          {request.kind === "uncertain_effect" ? "needs to know" : "asks"}
        </span>
        <RelativeTime at={request.createdAt} className="t3" />
        {origin && <span className="t2">{origin}</span>}
      </p>
      <p className="request-prompt">{request.prompt}</p>
      {request.call && (
        <div className="request-call">
          <pre className="code">
            {request.call.tool}({request.call.arguments})
          </pre>
          <CopyButton text={`${request.call.tool}(${request.call.arguments})`} what="the call" />
        </div>
      )}
      {answer.refusal && closed === null && (
        <Note tone="bad" role="alert">
          {answer.refusal}
        </Note>
      )}
      {closed === null ? (
        <>
          <RequestAnswer request={request} sending={answer.sending} onAnswer={answer.send} />
          <RequestDeadline request={request} />
        </>
      ) : (
        <p className="request-closed" role="status">
          <ClosedIcon status={request.status} />
          <span>
            {closed}
            {request.answeredAt && (
              <>
                {" "}
                <RelativeTime at={request.answeredAt} className="t3" />
              </>
            )}
            <span className="t2 block fs12">{aftermath(request, answer.counted)}</span>
          </span>
        </p>
      )}
    </article>
  );
}

function aftermath(request: RequestView, counted: boolean | null): string | null {
  if (counted === false) return "It was closed before your answer arrived, so yours was not used.";
  if (request.status !== "answered") return null;
  if (counted) return "Recorded as your answer; answering again changes nothing.";
  return "Answering again changes nothing.";
}

function ClosedIcon({ status }: { status: RequestView["status"] }) {
  if (status === "answered") return <IconCircleCheck size={16} color="var(--st-succeeded)" aria-hidden />;
  if (status === "expired") return <IconClockX size={16} color="var(--st-waiting)" aria-hidden />;
  return <IconCircleMinus size={16} color="var(--st-cancelled)" aria-hidden />;
}
