"use client";

import { Button, SegmentedControl, Select, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { type DecisionLabel, type DecisionRecord, VERDICTS, type Verdict } from "@/server/decisions/schema";
import { VERDICT_WORDS } from "./decision-words";

/** Stands for "none of these" and is no key: what would have been better is then said in words. */
const IN_WORDS = " ";

type Said = { verdict: Verdict; option: string | null; words: string | null; note: string | null };

type Props = {
  record: Pick<DecisionRecord, "options" | "chosen">;
  /** What this person says now; null: nothing. */
  own: DecisionLabel | null;
  error: unknown;
  isBusy: boolean;
  onSave: (said: Said) => void;
  onCancel: (() => void) | null;
};

/** Right, wrong, or what would have been better, with a note. */
export function LabelForm({ record, own, error, isBusy, onSave, onCancel }: Props) {
  const [verdict, setVerdict] = useState<Verdict | null>(own?.verdict ?? null);
  const [option, setOption] = useState(own?.option ?? IN_WORDS);
  const [words, setWords] = useState(own?.words ?? "");
  const [note, setNote] = useState(own?.note ?? "");
  const chosen = new Set(record.chosen.map((choice) => choice.option));
  const others = record.options.filter(({ key }) => !chosen.has(key));
  const isBetter = verdict === "better";
  const says = isBetter && option === IN_WORDS;
  return (
    <form
      className="label-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy || verdict === null) return;
        onSave({ verdict, option: isBetter && !says ? option : null, words: says ? words : null, note });
      }}
    >
      <SegmentedControl
        aria-label="What you say of it"
        data={VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] }))}
        // None is chosen before somebody chooses.
        value={verdict ?? "none"}
        onChange={(value) => setVerdict(VERDICTS.find((known) => known === value) ?? null)}
      />
      {isBetter && (
        <Select
          label="What would have been better"
          data={[
            ...others.map(({ key, label }) => ({ value: key, label })),
            { value: IN_WORDS, label: "None of the options: in words" },
          ]}
          value={option}
          onChange={(value) => setOption(value ?? IN_WORDS)}
          allowDeselect={false}
        />
      )}
      {says && (
        <TextInput
          label="In words"
          required
          maxLength={1_000}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {verdict !== null && (
        <>
          <Textarea
            aria-label="Note"
            placeholder="Note for others, if any"
            minRows={1}
            maxRows={6}
            maxLength={1_000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <div className="row">
            <Button type="submit" loading={isBusy}>
              {own ? "Change" : "Save"}
            </Button>
            {onCancel && <Button onClick={onCancel}>Cancel</Button>}
          </div>
        </>
      )}
      {error !== null && error !== undefined && (
        <Note tone="bad" role="alert">
          {errorWords(error).sentence}
        </Note>
      )}
    </form>
  );
}
