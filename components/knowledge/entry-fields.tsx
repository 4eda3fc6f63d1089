"use client";

import "./entries.css";
import { Select, Textarea, TextInput } from "@mantine/core";
import { ENTRY_KINDS, type EntryKind, entryKind, MOST_TITLE_CHARACTERS } from "@/server/knowledge/entry-schema";
import type { EntryForm } from "./entry-form";
import { EntryKindIcon } from "./entry-kind";
import { ENTRY_WORDS } from "./entry-words";

/** What an entry is made of. */
export function EntryFields({ form }: { form: EntryForm }) {
  return (
    <>
      <TextInput
        label="Title"
        placeholder="Refunds over 200 € are approved by two people"
        maxLength={MOST_TITLE_CHARACTERS}
        data-autofocus
        {...form.getInputProps("title")}
      />
      <KindSelect
        value={form.values.entryKind}
        onChange={(kind) => form.setFieldValue("entryKind", kind)}
        error={form.errors.entryKind}
      />
      <Textarea
        label="Text"
        description="Markdown. Agents are shown it as a quotation; what is kept secret here is taken out when it is saved."
        inputWrapperOrder={["label", "input", "description", "error"]}
        autosize
        minRows={10}
        maxRows={20}
        {...form.getInputProps("text")}
      />
    </>
  );
}

type KindProps = { value: EntryKind | ""; onChange: (kind: EntryKind) => void; error: React.ReactNode };

function KindSelect({ value, onChange, error }: KindProps) {
  return (
    <Select
      label="Kind"
      placeholder="What kind of entry it is"
      description={value === "" ? "Agents can search for one kind alone." : ENTRY_WORDS[value].means}
      inputWrapperOrder={["label", "input", "description", "error"]}
      data={ENTRY_KINDS.map((kind) => ({ value: kind, label: ENTRY_WORDS[kind].word }))}
      value={value || null}
      onChange={(chosen) => {
        const { data } = entryKind.safeParse(chosen);
        if (data) onChange(data);
      }}
      leftSection={value && <EntryKindIcon kind={value} />}
      renderOption={({ option }) => <KindOption kind={entryKind.parse(option.value)} />}
      allowDeselect={false}
      error={error}
    />
  );
}

function KindOption({ kind }: { kind: EntryKind }) {
  return (
    <span className="entry-option">
      <EntryKindIcon kind={kind} />
      <span>
        <span className="b">{ENTRY_WORDS[kind].word}</span> <span className="t3 fs12">{ENTRY_WORDS[kind].means}</span>
      </span>
    </span>
  );
}
