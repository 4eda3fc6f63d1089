import type { BackupView } from "@/server/system/schema";

export const REASON_WORDS: Record<BackupView["reason"], string> = {
  manual: "Taken by hand",
  "before-upgrade": "Before an upgrade",
  "before-restore": "Before a restore",
  "before-move": "Before a move",
  uploaded: "Uploaded",
};

/** Whether stored keys of providers and tool servers would open here after restoring it. */
export const KEY_WORDS: Record<BackupView["key"], string> = {
  same: "This installation's",
  other: "Another key",
  none: "None needed",
};

export const backupAddress = (name: string) => `/api/backups/${encodeURIComponent(name)}`;
