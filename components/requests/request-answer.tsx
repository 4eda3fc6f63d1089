"use client";

import { Button, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useWhyNotAct } from "@/components/layout/use-me";
import type { RequestView } from "@/server/engine/events";
import { answerRequestInput } from "@/server/requests/schema";

type Props = {
  request: RequestView;
  /** The answer on its way; null when none is. */
  sending: string | null;
  onAnswer: (answer: string) => void;
};

/** The options as offered, and a free answer where one is allowed. */
export function RequestAnswer({ request, sending, onAnswer }: Props) {
  const [writing, setWriting] = useState(request.options.length === 0);
  const whyNot = useWhyNotAct();
  // What became of a side effect is one of three facts; anything else would leave the run where it is.
  const mayWrite = request.kind === "question";
  const locked = whyNot !== null || sending !== null;
  const described = request.options.some((option) => option.description);

  return (
    <>
      {request.options.length > 0 && (
        <div className={described ? "request-options described" : "request-options"}>
          {request.options.map((option) => (
            <div key={option.value} className="request-option">
              <Button
                onClick={() => onAnswer(option.value)}
                loading={sending === option.value}
                disabled={locked && sending !== option.value}
              >
                {option.label}
              </Button>
              {option.description && <span className="t2 fs12">{option.description}</span>}
            </div>
          ))}
          {mayWrite && !writing && (
            <Button variant="subtle" onClick={() => setWriting(true)} disabled={locked}>
              Other…
            </Button>
          )}
        </div>
      )}
      {mayWrite && writing && (
        <FreeAnswer
          sending={sending !== null && !request.options.some((option) => option.value === sending)}
          locked={locked}
          focus={request.options.length > 0}
          onAnswer={onAnswer}
        />
      )}
      {whyNot && <p className="t3 fs12">{whyNot}</p>}
    </>
  );
}

type FreeAnswerProps = { sending: boolean; locked: boolean; focus: boolean; onAnswer: (answer: string) => void };

function FreeAnswer({ sending, locked, focus, onAnswer }: FreeAnswerProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const parsed = answerRequestInput.shape.answer.safeParse(text);
    if (parsed.success) onAnswer(parsed.data);
    else setProblem(parsed.error.issues[0]?.message ?? "Write an answer.");
  };

  return (
    <form className="request-free" onSubmit={submit} noValidate>
      <Textarea
        aria-label="Your answer"
        placeholder="Your answer, in your words"
        minRows={1}
        maxRows={8}
        // Opened by a click on "Other…", which says where the person wants to be.
        autoFocus={focus}
        value={text}
        disabled={locked && !sending}
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={getHotkeyHandler([["mod+Enter", () => submit()]])}
      />
      <Button type="submit" variant="filled" loading={sending} disabled={locked && !sending}>
        Answer
      </Button>
    </form>
  );
}
