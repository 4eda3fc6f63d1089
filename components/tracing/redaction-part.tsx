"use client";

import { Button, Switch, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { MOST_PREVIEWED } from "@/server/workspaces/schema";
import { useWhyNotOwn } from "./use-why-not-own";

/** Whether personal data is taken out of whatever comes in, and what that would do to a text. */
export function RedactionPart() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data } = useSuspenseQuery(trpc.workspace.privacy.queryOptions());
  const whyNot = useWhyNotOwn();
  const save = useMutation(
    trpc.workspace.savePrivacy.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.workspace.privacy.queryKey(), saved);
        notifications.show({
          message: saved.redactsPii
            ? "On. What comes in from now on is stored and sent to models without personal data."
            : "Off. What comes in from now on is kept as it is.",
        });
      },
    }),
  );
  return (
    <section className="tracing-part" aria-labelledby="tracing-privacy">
      <div className="tracing-part-head">
        <h2 id="tracing-privacy">Take out personal data</h2>
      </div>
      <p className="t2 tracing-about">
        E-mail addresses, phone numbers, card and social security numbers, IP addresses, keys and tokens are replaced by
        marks such as <span className="mono">[REDACTED_EMAIL]</span> in tasks, messages, answers, attachments, tool
        results, found passages and replies, before anything is stored or sent to a model. Names and street addresses
        are not recognised. What is stored already, the instructions of agents and uploaded files stay as they are;
        replies are shown when they are complete.
      </p>
      <div className="tracing-form">
        {save.error && (
          <Note tone="bad" role="alert">
            {errorWords(save.error).sentence}
          </Note>
        )}
        <Switch
          label="Take out personal data"
          description={
            whyNot ??
            (data.redactsPii ? "On, for everything that comes in." : "Off. Everything is kept as it comes in.")
          }
          checked={data.redactsPii}
          disabled={whyNot !== null || save.isPending}
          onChange={({ currentTarget: { checked } }) => save.mutate({ redactsPii: checked })}
        />
        <Preview />
      </div>
    </section>
  );
}

function Preview() {
  const trpc = useTRPC();
  const [text, setText] = useState("");
  const preview = useMutation(trpc.workspace.previewPrivacy.mutationOptions());
  const isCurrent = preview.data !== undefined && preview.variables?.text === text;
  return (
    <div className="tracing-preview">
      <Textarea
        label="Try it"
        description="Paste a text and see what would be stored. Nothing of it is kept."
        autosize
        minRows={3}
        maxRows={10}
        maxLength={MOST_PREVIEWED}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      <div>
        <Button disabled={text.trim() === ""} loading={preview.isPending} onClick={() => preview.mutate({ text })}>
          Show what would be stored
        </Button>
      </div>
      {preview.error && (
        <Note tone="bad" role="alert">
          {errorWords(preview.error).sentence}
        </Note>
      )}
      {isCurrent && (
        <section aria-label="What would be stored" className="tracing-stored" aria-live="polite">
          <span className="t2 fs12">
            {preview.data.text === text ? "Nothing would be taken out." : "This would be stored, and sent to models:"}
          </span>
          <pre>{preview.data.text}</pre>
        </section>
      )}
    </div>
  );
}
