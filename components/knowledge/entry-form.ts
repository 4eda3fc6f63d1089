import { type UseFormReturnType, useForm } from "@mantine/form";
import { firstProblem } from "@/components/editor/first-problem";
import { createEntryInput, type EntryKind } from "@/server/knowledge/entry-schema";

/** An entry as it is being written. Empty: nothing was chosen yet. */
export type EntryDraft = { baseId: string; entryKind: EntryKind | ""; title: string; text: string };
/** What is sent of it: nothing is missing. */
export type EntryValues = EntryDraft & { entryKind: EntryKind };
export type EntryForm = UseFormReturnType<EntryDraft, EntryValues>;

const { title, text, entryKind } = createEntryInput.shape;

export function useEntryForm(initialValues: EntryDraft): EntryForm {
  return useForm<EntryDraft, EntryValues>({
    initialValues,
    validate: {
      baseId: (value) => (value ? null : "Choose a base."),
      entryKind: firstProblem(entryKind),
      title: firstProblem(title),
      text: firstProblem(text),
    },
    // Sent only after the kind was found to be one.
    transformValues: (values) => ({ ...values, entryKind: entryKind.parse(values.entryKind) }),
  });
}
