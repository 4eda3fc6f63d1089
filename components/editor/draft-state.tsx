import { RelativeTime } from "@/components/ui/relative-time";

type Props = {
  isNew: boolean;
  isDirty: boolean;
  isSaving: boolean;
  savedAt: string | null;
  savedBy: string | null;
  /** "2 sections differ from v3", "same as v3", "never published". */
  difference: string | null;
};

/** Where the draft stands, in one line. */
export function DraftState({ isNew, isDirty, isSaving, savedAt, savedBy, difference }: Props) {
  if (isSaving) return <span className="t3 fs12">Saving…</span>;
  if (isNew) return <span className="t3 fs12">Not saved yet</span>;
  if (isDirty) return <span className="tag warn">Unsaved changes</span>;
  return (
    <span className="t3 fs12">
      Draft saved {savedAt && <RelativeTime at={savedAt} />}
      {savedBy && ` by ${savedBy}`}
      {difference && `, ${difference}`}
    </span>
  );
}
