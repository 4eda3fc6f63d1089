"use client";

import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { Note } from "@/components/ui/note";

type Props = {
  whyNot: string | null;
  refusal: string | null;
  wasKept: boolean;
  onDiscard: () => void;
  conflict: { savedBy: string | null; mine: () => string; onTakeTheirs: () => void; onSaveMine: () => void } | null;
};

/** What there is to say about the draft as a whole, above the form. */
export function DraftNotes({ whyNot, refusal, wasKept, onDiscard, conflict }: Props) {
  if (!whyNot && !refusal && !wasKept && !conflict) return null;
  return (
    <div className="ed-notes">
      {whyNot && <Note tone="info">{whyNot}</Note>}
      {refusal && (
        <Note tone="bad" role="alert">
          {refusal}
        </Note>
      )}
      {conflict ? (
        <Conflict {...conflict} />
      ) : (
        wasKept && (
          <Note tone="info">
            Your unsaved changes of before are back.{" "}
            <button type="button" className="linkbtn fs12" onClick={onDiscard}>
              Discard them
            </button>
          </Note>
        )
      )}
    </div>
  );
}

function Conflict({ savedBy, mine, onTakeTheirs, onSaveMine }: NonNullable<Props["conflict"]>) {
  const clipboard = useClipboard({ timeout: 1600 });
  const copyWord = clipboard.error ? "The browser did not allow copying" : clipboard.copied ? "Copied" : "Copy mine";
  return (
    <Note tone="warn" role="alert">
      {savedBy ?? "Somebody"} saved this draft while you were editing it. Your text is still here and was not saved.
      Reloading theirs replaces it; saving yours replaces theirs.
      <div className="row wrap">
        <Button onClick={onTakeTheirs}>Reload theirs</Button>
        <Button onClick={() => clipboard.copy(mine())}>{copyWord}</Button>
        <Button onClick={onSaveMine}>Save mine over theirs</Button>
      </div>
    </Note>
  );
}
