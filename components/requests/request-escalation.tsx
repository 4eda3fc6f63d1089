"use client";

import { Button } from "@mantine/core";
import { IconRobot } from "@tabler/icons-react";
import { useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import { formatExact } from "@/components/ui/format";
import { useNow } from "@/components/ui/now";
import type { Answer, RequestView } from "@/server/engine/events";
import { escalationSentence } from "./answer-words";
import { RequestAnswer } from "./request-answer";

type Props = {
  request: RequestView;
  /** The answer on its way; null when none is. */
  sending: Answer | null;
  onAnswer: (answer: Answer) => void;
};

/** A question the agents above are asked first. A person may answer it all the same, and then theirs counts. */
export function RequestEscalation({ request, sending, onAnswer }: Props) {
  const now = useNow("second");
  const whyNot = useWhyNotAct();
  const [answering, setAnswering] = useState(false);
  return (
    <>
      <p
        className="due"
        title={
          request.escalatedUntil === null || now === null ? undefined : formatExact(new Date(request.escalatedUntil))
        }
      >
        <IconRobot size={14} stroke={1.75} aria-hidden />
        {escalationSentence(request, now)}
      </p>
      {answering ? (
        <RequestAnswer request={request} sending={sending} onAnswer={onAnswer} />
      ) : (
        <div className="request-options">
          <Button onClick={() => setAnswering(true)} disabled={whyNot !== null}>
            Answer instead of them…
          </Button>
          {whyNot && <span className="t3 fs12">{whyNot}</span>}
        </div>
      )}
    </>
  );
}
