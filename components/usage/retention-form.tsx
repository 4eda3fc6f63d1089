"use client";

import { Button, NumberInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import { RelativeTime } from "@/components/ui/relative-time";
import { type Retention, saveRetentionInput, type UsageView } from "@/server/usage/schema";
import { DryRun } from "./dry-run";
import { fieldsOf, parseFields, validatedBy } from "./number-fields";

const FIELDS: { name: keyof Retention; label: string; help: string }[] = [
  {
    name: "runDays",
    label: "Runs that ended",
    help: "With everything recorded about them. Those that have not ended, or wait for a person, stay.",
  },
  {
    name: "conversationDays",
    label: "Conversations",
    help: "Counted from the last question or attachment. One goes whole, with its runs and attachments, or not at all.",
  },
  { name: "uploadDays", label: "Uploads no document uses", help: "Files whose document was replaced or deleted." },
];

/** Rules by age. A dry run shows what they would remove; the daily job does the same. */
export function RetentionForm({ usage, whyNot }: { usage: UsageView; whyNot: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: fieldsOf(usage.retention), validate: validatedBy(saveRetentionInput) });
  const save = useMutation(
    trpc.usage.saveRetention.mutationOptions({
      onSuccess: () => {
        form.resetDirty();
        notifications.show({ message: "The rules are saved. The daily job begins a day from now." });
        void queryClient.invalidateQueries({ queryKey: trpc.usage.get.pathKey() });
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const preview = useMutation(trpc.usage.preview.mutationOptions());
  const rules = parseFields(saveRetentionInput, form.values);
  const isEmpty = rules !== null && Object.values(rules).every((days) => days === null);
  const failure = save.error ?? preview.error;
  return (
    <section className="usage-part" aria-labelledby="usage-retention">
      <div className="usage-head">
        <h2 id="usage-retention">Delete by age</h2>
        <span className="t2">
          {usage.nextCleanupAt ? (
            <>
              On. The daily job looks next <RelativeTime at={usage.nextCleanupAt} />.
            </>
          ) : (
            "Off: everything is kept. An empty field means for ever."
          )}
        </span>
      </div>
      <form
        className="usage-form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          const retention = parseFields(saveRetentionInput, values);
          if (retention && !save.isPending) save.mutate(retention);
        })}
      >
        {failure && Object.keys(fieldErrorsOf(failure)).length === 0 && (
          <Note tone="bad" role="alert">
            {errorWords(failure).sentence}
          </Note>
        )}
        {FIELDS.map(({ name, label, help }) => (
          <div className="usage-field" key={name}>
            <NumberInput
              label={label}
              description={help}
              placeholder="kept for ever"
              allowDecimal={false}
              allowNegative={false}
              hideControls
              suffix={form.values[name] === 1 ? " day" : " days"}
              disabled={whyNot !== null}
              {...form.getInputProps(name)}
            />
          </div>
        ))}
        <div className="row wrap usage-actions">
          <Button
            type="submit"
            variant={form.isDirty() ? "filled" : "default"}
            disabled={whyNot !== null || !form.isDirty()}
            loading={save.isPending}
          >
            Save rules
          </Button>
          <Button
            disabled={whyNot !== null || rules === null || isEmpty}
            loading={preview.isPending}
            onClick={() => rules && preview.mutate(rules)}
          >
            Dry run
          </Button>
          <span className="t3 fs12">
            {whyNot ?? (isEmpty ? "Fill in an age to try what it would delete." : "A dry run deletes nothing.")}
          </span>
        </div>
      </form>
      {preview.data && preview.variables && (
        <DryRun
          key={preview.data.asOf}
          preview={preview.data}
          rules={preview.variables}
          isChanged={JSON.stringify(rules) !== JSON.stringify(preview.variables)}
          onDone={preview.reset}
        />
      )}
    </section>
  );
}
