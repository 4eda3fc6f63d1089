"use client";

import { Textarea } from "@mantine/core";
import { getHotkeyHandler } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { memo, useState } from "react";
import { findKeptDraft, forgetKeptDraft, keepDraft } from "@/components/editor/kept-drafts";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotAct } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { AgentRow } from "@/server/engine/events";
import { isHeld } from "@/server/engine/state";
import { steerInput } from "@/server/runs/schema";

type Props = { runId: string; agent: AgentRow; isAtWork: boolean };

/**
 * Says something to an agent at work. What is being written stays while one looks at other rows, and when the agent ends. Drawn again
 * only when its agent changes: the field measures its text each time, which is much while others stream.
 */
export const SteerForm = memo(function SteerForm({ runId, agent, isAtWork }: Props) {
  const trpc = useTRPC();
  const whyNotAct = useWhyNotAct();
  const [text, setText] = useSteerDraft(agent.id);
  const say = useMutation(
    trpc.runs.steer.mutationOptions({
      // What was typed meanwhile stays.
      onSuccess: (_, sent) => {
        if (text.trim() === sent.text) setText("");
      },
    }),
  );
  if (!isAtWork && text === "") return null;

  const parsed = steerInput.shape.text.safeParse(text);
  const problem = text.trim() && !parsed.success ? parsed.error.issues[0]?.message : null;
  const whyNot = whyNotAct ?? (isAtWork ? null : `${agent.name} has ended and reads nothing any more.`);
  const send = () => {
    if (parsed.success && !whyNot && !say.isPending) say.mutate({ runId, agentRunId: agent.id, text: parsed.data });
  };
  const when = `before its next model call${isHeld(agent.status) ? ", once the run is resumed" : ""}`;
  return (
    <section className="col">
      {say.error && (
        <Note tone="bad" role="alert">
          {refusalOf(say.error)}
        </Note>
      )}
      <Textarea
        label="Say something"
        placeholder="What it should know, or do differently"
        minRows={1}
        maxRows={8}
        value={text}
        disabled={whyNotAct !== null}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={getHotkeyHandler([["mod+Enter", send]])}
      />
      <div className="row">
        <p className="grow t2 fs12" role="status">
          {whyNot ?? (say.isSuccess && text === "" ? `Said. ${agent.name} reads it ${when}.` : "")}
        </p>
        <ReasonButton
          whyNot={whyNot ?? (text.trim() ? null : "Write what it should know first.")}
          loading={say.isPending}
          onClick={send}
        >
          Say it
        </ReasonButton>
      </div>
    </section>
  );
});

/** Kept for the life of the tab: picking another row takes the field away. */
function useSteerDraft(agentRunId: string): [string, (text: string) => void] {
  const key = `steer ${agentRunId}`;
  const [text, setText] = useState(() => findKeptDraft<string>(key) ?? "");
  return [
    text,
    (next) => {
      setText(next);
      if (next) keepDraft(key, next);
      else forgetKeptDraft(key);
    },
  ];
}

function refusalOf(error: unknown): string {
  const { sentence, answered } = errorWords(error);
  if (answered) return sentence;
  return `${sentence} It is not known whether it was said: look for it among the decisions before you say it again.`;
}
