"use client";

import { useState } from "react";
import type { BackupView } from "@/server/system/schema";
import { BackupRow } from "./backup-row";
import { DeleteBackup } from "./delete-backup";
import { RestoreDialog } from "./restore-dialog";

type Props = { backups: readonly BackupView[]; onRestoring: (name: string) => void };

export function BackupList({ backups, onRestoring }: Props) {
  const [asked, setAsked] = useState<{ act: "delete" | "restore"; backup: BackupView } | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <table className="table cards edge">
        <thead>
          <tr>
            <th>Taken</th>
            <th>Why</th>
            <th>Stored keys sealed with</th>
            <th className="num">Rows</th>
            <th className="num">Size</th>
            <th aria-label="Actions" />
          </tr>
        </thead>
        <tbody>
          {backups.map((backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              onDelete={() => setAsked({ act: "delete", backup })}
              onRestore={() => setAsked({ act: "restore", backup })}
            />
          ))}
        </tbody>
      </table>
      {asked?.act === "delete" && <DeleteBackup backup={asked.backup} onClose={close} />}
      {asked?.act === "restore" && (
        <RestoreDialog backup={asked.backup} onClose={close} onRestoring={() => onRestoring(asked.backup.name)} />
      )}
    </>
  );
}
