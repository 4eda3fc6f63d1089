"use client";

import { type FormErrors, useForm } from "@mantine/form";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { errorWords } from "@/components/ui/error-words";
import { draftFieldErrors, refusalCode } from "./draft-errors";
import { jumpToField } from "./jump-to-field";
import { findKeptDraft, forgetKeptDraft, keepDraft } from "./kept-drafts";

type Stored = { draftRevision: number };
/** What the form was filled from: everything typed since is measured against it. */
type Base<Values> = { revision: number | null; values: Values };
type Kept<Values> = { base: Base<Values>; values: Values };

type Options<Values, Detail> = {
  /** Names this editor among those of the tab. */
  key: string;
  /** What the server holds; null while it was never saved. */
  stored: Detail | null;
  toValues: (stored: Detail | null) => Values;
  validate: (values: Values) => FormErrors;
  /** Creates it (revision null) or saves it, and gives back what the server holds then. */
  write: (values: Values, revision: number | null) => Promise<Detail>;
  /** Reads it again. */
  reread: () => Promise<unknown>;
};

/**
 * A draft in a form: what was typed stays until the server has taken it. A save names the revision it stands on, so that
 * two people who edit at once never overwrite each other: `theirs` is set as soon as the server holds a newer one.
 */
export function useDraft<Values extends Record<string, unknown>, Detail extends Stored>(
  options: Options<Values, Detail>,
) {
  const { key, stored, toValues, write, reread } = options;
  const [kept] = useState(() => findKeptDraft<Kept<Values>>(key));
  const [base, setBase] = useState<Base<Values>>(
    () => kept?.base ?? { revision: stored?.draftRevision ?? null, values: toValues(stored) },
  );
  const [wasKept, setWasKept] = useState(kept !== null);
  const [isSaving, setIsSaving] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const form = useForm<Values>({
    initialValues: kept?.values ?? base.values,
    validate: options.validate,
    validateInputOnBlur: true,
  });

  const savedPrint = useMemo(() => JSON.stringify(base.values), [base]);
  const isDirty = JSON.stringify(form.values) !== savedPrint;
  // While a save is under way the newer revision is its own.
  const isNewer = stored !== null && base.revision !== null && stored.draftRevision !== base.revision;
  const theirs = isNewer && !isSaving ? stored : null;

  const standOn = (detail: Detail, values?: Values) => {
    const next = { revision: detail.draftRevision, values: toValues(detail) };
    setBase(next);
    setWasKept(false);
    forgetKeptDraft(key);
    // Whatever was typed while the save was under way stays.
    if (!values || JSON.stringify(form.getValues()) === JSON.stringify(values)) form.setValues(next.values);
  };

  const follow = useEffectEvent((detail: Detail) => {
    if (!isDirty && !isSaving) standOn(detail);
  });
  useEffect(() => {
    if (theirs) follow(theirs);
  }, [theirs]);

  const onLeave = useEffectEvent(() => {
    if (isDirty) keepDraft(key, { base, values: form.getValues() } satisfies Kept<Values>);
  });
  useEffect(() => () => onLeave(), []);

  const tell = async (error: unknown) => {
    const { sentence, answered } = errorWords(error);
    if (refusalCode(error) === "CONFLICT") {
      const now = (await reread().catch(() => null)) as Detail | null;
      if (now && now.draftRevision !== base.revision) return;
      form.setFieldError("name", sentence);
      jumpToField("name");
      return;
    }
    const fields = draftFieldErrors(error);
    form.setErrors(fields);
    const first = Object.keys(fields)[0];
    if (first && jumpToField(first)) return;
    setRefusal(answered ? sentence : `${sentence} What you typed is still here: save it again.`);
  };

  /** Saves over revision `over`, the one the form stands on unless given. Null when it was not saved; the reason is on screen. */
  const save = async (over = base.revision): Promise<Detail | null> => {
    if (isSaving) return null;
    setRefusal(null);
    const { hasErrors, errors } = form.validate();
    if (hasErrors) {
      const first = Object.keys(errors)[0];
      if (first) jumpToField(first);
      return null;
    }
    const values = form.getValues();
    setIsSaving(true);
    try {
      const now = await write(values, over);
      standOn(now, values);
      return now;
    } catch (error) {
      await tell(error);
      return null;
    } finally {
      setIsSaving(false);
    }
  };

  return {
    form,
    saved: base.values,
    isDirty,
    isSaving,
    /** Why the last save was refused, when no field is to blame. */
    refusal,
    setRefusal,
    /** Unsaved text of an earlier visit was put back. */
    wasKept,
    /** Somebody saved meanwhile: what they saved. */
    theirs,
    save,
    takeTheirs: () => theirs && standOn(theirs),
    /** Stands on what the server holds now, e.g. after a restore. */
    standOn,
    /** Back to what was saved last. */
    discard: () => {
      form.setValues(base.values);
      form.clearErrors();
      setWasKept(false);
      forgetKeptDraft(key);
    },
  };
}
