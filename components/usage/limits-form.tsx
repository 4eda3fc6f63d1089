"use client";

import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords, fieldErrorsOf } from "@/components/ui/error-words";
import { formatCount, formatMoney, formatPlural } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import { type Limits, MOST_UPLOAD_MB, saveLimitsInput, type UsageView } from "@/server/usage/schema";
import { LimitField } from "./limit-field";
import { fieldsOf, parseFields, validatedBy } from "./number-fields";
import { formatMb } from "./usage-words";

const FIELDS: { name: keyof Limits; label: string; help: string; suffix?: string; isMoney?: true }[] = [
  {
    name: "storageMb",
    label: "Everything kept",
    help: "At the limit uploads and new runs are refused; runs under way go on.",
    suffix: " MB",
  },
  {
    name: "uploadMb",
    label: "Largest file",
    help: `${MOST_UPLOAD_MB} MB at most.`,
    suffix: " MB",
  },
  { name: "documentsPerBase", label: "Documents in a base", help: "New revisions of a document take no place." },
  {
    name: "runsPerDay",
    label: "Runs started in a day",
    help: "Questions in conversations and repeats are runs, too. The day begins at midnight UTC.",
  },
  {
    name: "runsAtOnce",
    label: "Runs at work at once",
    help: "Queued and running. Those that wait for a person, are paused or suspended are not counted.",
  },
  {
    name: "spendPerDayNanoUsd",
    label: "Spent on models in a day",
    help: "In US dollars, by all runs together. At the limit runs under way are suspended. The day begins at midnight UTC.",
    isMoney: true,
  },
  {
    name: "tokensPerDay",
    label: "Tokens in a day",
    help: "In and out, of all runs together; otherwise the same.",
  },
];

/** Each limit with what is used of it now. Empty means no limit. */
export function LimitsForm({ usage, whyNot }: { usage: UsageView; whyNot: string | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: fieldsOf(usage.limits), validate: validatedBy(saveLimitsInput) });
  const save = useMutation(
    trpc.usage.saveLimits.mutationOptions({
      onSuccess: () => {
        form.resetDirty();
        notifications.show({ message: "The limits are saved. They hold from now on." });
        void queryClient.invalidateQueries({ queryKey: trpc.usage.get.pathKey() });
      },
      onError: (error) => form.setErrors(fieldErrorsOf(error)),
    }),
  );
  const now = nowWords(usage);
  return (
    <section className="usage-part" aria-labelledby="usage-limits">
      <div className="usage-head">
        <h2 id="usage-limits">Limits</h2>
        <span className="t2">An empty field means no limit.</span>
      </div>
      <form
        className="usage-form"
        noValidate
        onSubmit={form.onSubmit((values) => {
          const limits = parseFields(saveLimitsInput, values);
          if (limits && !save.isPending) save.mutate(limits);
        })}
      >
        {save.error && Object.keys(fieldErrorsOf(save.error)).length === 0 && (
          <Note tone="bad" role="alert">
            {errorWords(save.error).sentence}
          </Note>
        )}
        {FIELDS.map(({ name, label, help, suffix, isMoney }) => (
          <div className="usage-field" key={name}>
            <LimitField
              isMoney={isMoney}
              label={label}
              description={help}
              placeholder={name === "uploadMb" ? undefined : "no limit"}
              suffix={suffix}
              disabled={whyNot !== null}
              {...form.getInputProps(name)}
            />
            <div className="t2 usage-now">{now[name]}</div>
          </div>
        ))}
        <div className="row usage-actions">
          <Button
            type="submit"
            variant={form.isDirty() ? "filled" : "default"}
            disabled={whyNot !== null || !form.isDirty()}
            loading={save.isPending}
          >
            Save limits
          </Button>
          <span className="t3 fs12">{whyNot ?? (form.isDirty() ? "Not saved yet." : "Nothing was changed.")}</span>
        </div>
      </form>
    </section>
  );
}

function nowWords({ totalBytes, now }: UsageView): Record<keyof Limits, string> {
  const { fullestBase } = now;
  return {
    storageMb: `Now ${formatMb(totalBytes)}`,
    uploadMb: now.largestUploadBytes > 0 ? `Largest so far ${formatMb(now.largestUploadBytes)}` : "No file yet",
    documentsPerBase: fullestBase
      ? `Most in “${fullestBase.name}”: ${formatPlural(fullestBase.documents, "document")}`
      : "No base yet",
    runsPerDay: `${formatCount(now.runsToday)} today`,
    runsAtOnce: `${formatCount(now.runsAtWork)} now`,
    spendPerDayNanoUsd: `${formatMoney(now.spentTodayNanoUsd, 2)} today`,
    tokensPerDay: `${formatCount(now.tokensToday)} today`,
  };
}
