"use client";

import { Button, Checkbox } from "@mantine/core";
import { useId, useState } from "react";
import type { Answer, RequestView } from "@/server/engine/events";
import { NONE_OF_THESE } from "@/server/requests/schema";

type Props = {
  request: Pick<RequestView, "options">;
  sending: Answer | null;
  locked: boolean;
  onAnswer: (answer: string[]) => void;
};

/** Any number of the options; none is an answer, too. No form: Enter on a box must not send what cannot be taken back. */
export function SeveralAnswers({ request: { options }, sending, locked, onAnswer }: Props) {
  const [ticked, setTicked] = useState<string[]>([]);
  const summary = useId();
  // In the order of the options, whichever was ticked first.
  const tick = (changed: string, on: boolean) =>
    setTicked(options.flatMap(({ value }) => ((value === changed ? on : ticked.includes(value)) ? [value] : [])));
  return (
    <>
      <fieldset className="request-ticks" aria-label="Your answers">
        {options.map(({ value, label }) => (
          <Checkbox
            key={value}
            size="sm"
            label={label}
            checked={ticked.includes(value)}
            disabled={locked}
            onChange={(event) => tick(value, event.currentTarget.checked)}
          />
        ))}
      </fieldset>
      <div className="request-send">
        <Button
          variant="filled"
          loading={sending !== null}
          disabled={locked && sending === null}
          aria-describedby={summary}
          onClick={() => onAnswer(ticked)}
        >
          Send
        </Button>
        <span id={summary} className="t2 fs12">
          {ticked.length === 0 ? NONE_OF_THESE : `${ticked.length} of ${options.length} ticked`}
        </span>
      </div>
    </>
  );
}
