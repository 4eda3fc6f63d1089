"use client";

import { Checkbox, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { WEBHOOK_EVENTS } from "@/server/webhooks/schema";
import { EVENT_GROUPS, EVENT_WORDS } from "./event-words";
import type { WebhookValues } from "./webhook-values";

type Props = {
  form: UseFormReturnType<WebhookValues>;
  /** Scheme, host and port of the stored address; null: there is none yet. */
  storedOrigin: string | null;
};

/** What is called, when, and with what. Shared by the dialogs that add and change one. */
export function WebhookFields({ form, storedOrigin }: Props) {
  const { error } = form.getInputProps("events");
  return (
    <>
      <TextInput label="Name" maxLength={80} data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Address"
        description={
          storedOrigin === null
            ? "It is sent a POST with JSON. That of an incoming webhook of a chat service works as it is."
            : `Stored; leave empty to keep it. It is on ${storedOrigin}.`
        }
        placeholder={storedOrigin === null ? "https://hooks.example.com/troupe" : "Stored; leave empty to keep"}
        inputMode="url"
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps("address")}
      />
      <Checkbox
        label="Allow this host on a private network"
        description="Calls to this machine and to private networks are refused until an owner allows the host and port. Only tick this for a server you know."
        {...form.getInputProps("allowPrivateHost", { type: "checkbox" })}
      />
      <Checkbox.Group
        label="Call it when"
        error={error}
        value={form.values.events}
        onChange={(chosen) => {
          form.setFieldValue(
            "events",
            WEBHOOK_EVENTS.filter((event) => chosen.includes(event)),
          );
        }}
      >
        <div className="webhook-events">
          {EVENT_GROUPS.map(({ title, events }) => (
            <fieldset key={title}>
              <legend className="section-label">{title}</legend>
              {events.map((event) => (
                <Checkbox key={event} size="xs" value={event} label={EVENT_WORDS[event]} />
              ))}
            </fieldset>
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox
        label="Send what was said"
        description="Titles, tasks, answers, questions, reasons and what agents publish go along. Without it only names, states, times, tokens and costs leave."
        {...form.getInputProps("withContent", { type: "checkbox" })}
      />
      <TextInput
        label="Links lead to"
        description="The address under which whoever reads a call opens Troupe."
        inputMode="url"
        spellCheck={false}
        {...form.getInputProps("linkOrigin")}
      />
    </>
  );
}
