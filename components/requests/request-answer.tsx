"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import type { Answer, RequestView } from "@/server/engine/events";
import { mayWrite } from "@/server/requests/schema";
import { FreeAnswer } from "./free-answer";
import { SeveralAnswers } from "./several-answers";

type Props = {
  request: RequestView;
  /** The answer on its way; null when none is. */
  sending: Answer | null;
  onAnswer: (answer: Answer) => void;
};

/** The ways to answer a request, and why there are none. */
export function RequestAnswer({ request, sending, onAnswer }: Props) {
  const whyNot = useWhyNotAct();
  const Ways = request.answerKind === "several" ? SeveralAnswers : OneAnswer;
  return (
    <>
      <Ways request={request} sending={sending} locked={whyNot !== null || sending !== null} onAnswer={onAnswer} />
      {whyNot && <p className="t3 fs12">{whyNot}</p>}
    </>
  );
}

/** The options as offered, and a free answer where one is allowed. */
function OneAnswer({ request, sending, locked, onAnswer }: Props & { locked: boolean }) {
  const [writing, setWriting] = useState(request.options.length === 0);
  const isConfirm = request.answerKind === "confirm";
  const ownWords = mayWrite(request);
  const described = request.options.some((option) => option.description);

  return (
    <>
      {request.options.length > 0 && (
        <div className={described ? "request-options described" : "request-options"}>
          {request.options.map((option, i) => (
            <div key={option.value} className="request-option">
              <Button
                variant={isConfirm && i === 0 ? "filled" : "default"}
                onClick={() => onAnswer(option.value)}
                loading={sending === option.value}
                disabled={locked && sending !== option.value}
              >
                {option.label}
              </Button>
              {option.description && <span className="t2 fs12">{option.description}</span>}
            </div>
          ))}
          {ownWords && !writing && (
            <Button variant="subtle" onClick={() => setWriting(true)} disabled={locked}>
              {request.kind === "approval" || request.kind === "loop" ? "Say what to do instead…" : "Other…"}
            </Button>
          )}
        </div>
      )}
      {ownWords && writing && (
        <FreeAnswer
          sending={sending !== null && !request.options.some((option) => option.value === sending)}
          locked={locked}
          only={request.options.length === 0}
          onAnswer={onAnswer}
        />
      )}
    </>
  );
}
