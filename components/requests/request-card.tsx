"use client";

import "./requests.css";
import { IconCircleCheck, IconCircleMinus, IconClockX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { KindIcon } from "@/components/ui/status";
import type { RequestView } from "@/server/engine/events";
import { aftermathSentence, closedSentence, isUnanswered, REQUEST_VERBS } from "./answer-words";
import { RequestAnswer } from "./request-answer";
import { RequestAssignee } from "./request-assignee";
import { RequestDeadline } from "./request-deadline";
import { RequestEscalation } from "./request-escalation";
import { useAnswerRequest } from "./use-answer-request";

type Props = {
  request: RequestView;
  /** Where it comes from, e.g. a link to the run; shown beside the agent's name. */
  origin?: ReactNode;
  /** Its run is held. */
  isHeld?: boolean;
  /** Called with the request as it stands once the server has taken an answer. */
  onSettled?: (request: RequestView) => void;
  /** Called with the request as it stands once it was assigned here. */
  onAssigned?: (request: RequestView) => void;
};

/** A question a run waits for: what, by when, what happens otherwise, and the ways to answer. */
export function RequestCard({ request: given, origin, isHeld, onSettled, onAssigned }: Props) {
  const answer = useAnswerRequest(given.id, onSettled);
  // The live events may lag behind the reply to this very answer.
  const request = isUnanswered(given) && answer.settled ? answer.settled : given;
  const closed = closedSentence(request);
  return (
    <article className="request" data-status={request.status} aria-label={`Request of ${request.agentName}`}>
      <p className="request-from">
        <span>
          <span className="b">{request.agentName}</span> {REQUEST_VERBS[request.kind]}
        </span>
        <RelativeTime at={request.createdAt} className="t3" />
        {origin && <span className="t2">{origin}</span>}
        {closed === null && <RequestAssignee request={request} onAssigned={onAssigned} />}
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
      {request.status === "escalated" && (
        <RequestEscalation request={request} sending={answer.sending} onAnswer={answer.send} />
      )}
      {request.status === "open" && (
        <>
          <RequestAnswer request={request} sending={answer.sending} onAnswer={answer.send} />
          <RequestDeadline request={request} isHeld={isHeld} />
        </>
      )}
      {closed !== null && (
        <p className="request-closed" role="status">
          <ClosedIcon request={request} />
          <span>
            {closed}
            {request.answeredAt && (
              <>
                {" "}
                <RelativeTime at={request.answeredAt} className="t3" />
              </>
            )}
            <span className="t2 block fs12">{aftermathSentence(request, answer.counted)}</span>
          </span>
        </p>
      )}
    </article>
  );
}

function ClosedIcon({ request: { status, answeredByAgentId } }: { request: RequestView }) {
  if (answeredByAgentId !== null) return <KindIcon kind="agent" size={16} />;
  if (status === "answered") return <IconCircleCheck size={16} color="var(--st-succeeded)" aria-hidden />;
  if (status === "expired") return <IconClockX size={16} color="var(--st-waiting)" aria-hidden />;
  return <IconCircleMinus size={16} color="var(--st-cancelled)" aria-hidden />;
}
