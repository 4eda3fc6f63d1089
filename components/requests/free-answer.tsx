"use client";

import { Button, Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { answerText } from "@/server/requests/schema";

type Props = {
  sending: boolean;
  locked: boolean;
  /** There is no other way to answer. */
  only: boolean;
  onAnswer: (answer: string) => void;
};

/** An answer in one's own words. */
export function FreeAnswer({ sending, locked, only, onAnswer }: Props) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const parsed = answerText.safeParse(text);
    if (parsed.success) onAnswer(parsed.data);
    else setProblem(parsed.error.issues[0]?.message ?? "Write an answer.");
  };

  return (
    <form className="request-free" onSubmit={submit} noValidate>
      <Textarea
        aria-label="Your answer"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        placeholder="Your answer, in your words"
        minRows={only ? 2 : 1}
        maxRows={8}
        // Opened by a click on "Other…", which says where the person wants to be.
        autoFocus={!only}
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
        Send
      </Button>
    </form>
  );
}
