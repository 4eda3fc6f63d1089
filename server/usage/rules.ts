import { type CleanupKind, type Cutoffs, type Limits, MB, MOST_UPLOAD_MB, type Retention } from "./schema";

const DAY_MS = 24 * 60 * 60_000;
const grouped = new Intl.NumberFormat("en-US");
const WHO = "An owner can change the limit on the page Usage.";

const ofMb = (bytes: number) => grouped.format(Math.round((bytes / MB) * 10) / 10);

/** The sentence for an upload that does not fit any more; null when it does. `usedBytes` is without it. */
export function whyNotUpload(limits: Limits, usedBytes: number, uploadBytes: number): string | null {
  if (limits.storageMb === null || usedBytes + uploadBytes <= limits.storageMb * MB) return null;
  return (
    `This workspace may keep ${grouped.format(limits.storageMb)} MB and keeps ${ofMb(usedBytes)} MB; ` +
    `this file needs ${ofMb(uploadBytes)} MB more. Delete something first. ${WHO}`
  );
}

export function tooLargeToUpload({ uploadMb }: Limits): string {
  const sentence = `This file is larger than ${uploadMb} MB, the most one file may have. Split it.`;
  return uploadMb === MOST_UPLOAD_MB ? sentence : `${sentence} ${WHO}`;
}

/** The sentence for one more document in a base that holds `documents`; null when it fits. */
export function whyNotAdd({ documentsPerBase }: Limits, documents: number): string | null {
  if (documentsPerBase === null || documents < documentsPerBase) return null;
  return (
    `A knowledge base may hold ${grouped.format(documentsPerBase)} documents and this one holds ` +
    `${grouped.format(documents)}. Remove some, or use another base. ${WHO}`
  );
}

type Standing = { runsToday: number; runsAtWork: number; usedBytes: number };

/** The sentence for one more run; null when it may start. `runsToday` and `runsAtWork` are without it. */
export function whyNotStart(limits: Limits, { runsToday, runsAtWork, usedBytes }: Standing): string | null {
  const { runsPerDay, runsAtOnce, storageMb } = limits;
  if (runsAtOnce !== null && runsAtWork >= runsAtOnce) {
    return (
      `This workspace may have ${grouped.format(runsAtOnce)} runs at work at once and has ${grouped.format(runsAtWork)}. ` +
      `Wait until one ends, or stop one. ${WHO}`
    );
  }
  if (runsPerDay !== null && runsToday >= runsPerDay) {
    return (
      `This workspace may start ${grouped.format(runsPerDay)} runs a day and has started ${grouped.format(runsToday)} ` +
      `since midnight UTC. Try again tomorrow. ${WHO}`
    );
  }
  if (storageMb !== null && usedBytes >= storageMb * MB) {
    return (
      `This workspace may keep ${grouped.format(storageMb)} MB and keeps ${ofMb(usedBytes)} MB: nothing new can start. ` +
      `Delete something first. ${WHO}`
    );
  }
  return null;
}

const DAYS_OF: Record<CleanupKind, keyof Retention> = {
  runs: "runDays",
  conversations: "conversationDays",
  uploads: "uploadDays",
};

/** The instants before which things go, counted back from `asOf`. */
export function cutoffsOf(retention: Retention, asOf: Date): Cutoffs {
  const entries = Object.entries(DAYS_OF).flatMap(([kind, field]) => {
    const days = retention[field];
    return days === null ? [] : [[kind, new Date(asOf.getTime() - days * DAY_MS).toISOString()] as const];
  });
  return Object.fromEntries(entries);
}
