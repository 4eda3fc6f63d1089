"use client";

import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconDots, IconDownload, IconHistory, IconListCheck, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatBytes, formatCount } from "@/components/ui/format";
import { RelativeTime } from "@/components/ui/relative-time";
import type { BackupView } from "@/server/system/schema";
import { backupAddress, KEY_WORDS, REASON_WORDS } from "./backup-words";

type Props = { backup: BackupView; onDelete: () => void; onRestore: () => void };

export function BackupRow({ backup, onDelete, onRestore }: Props) {
  const trpc = useTRPC();
  const verify = useMutation(
    trpc.system.checkBackup.mutationOptions({
      onSuccess: ({ name, rows }) =>
        notifications.show({ title: "The backup is whole", message: `${name}: ${formatCount(rows)} rows read.` }),
      onError: (error) =>
        notifications.show({ color: "red", title: "The backup is damaged", message: errorWords(error).sentence }),
    }),
  );
  return (
    <tr className="backup-row">
      <td>
        <RelativeTime at={backup.takenAt} className="b" />
        {verify.isPending && <span className="t3"> · checking…</span>}
        <div className="backup-name">{backup.name}</div>
        {backup.problem && <div className="backup-problem">{backup.problem}</div>}
      </td>
      <td data-m="full">{REASON_WORDS[backup.reason]}</td>
      <td className="backup-key" data-m="full">
        <span className="only-m t3">Stored keys: </span>
        {KEY_WORDS[backup.key]}
      </td>
      <td className="num" data-m="hide">
        {formatCount(backup.rows)}
      </td>
      <td className="num" data-m="full">
        {formatBytes(backup.sizeBytes)}
      </td>
      <td className="num">
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <button type="button" className="icon-btn" aria-label={`Actions for ${backup.name}`}>
              <IconDots size={16} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              component="a"
              href={backupAddress(backup.name)}
              download={backup.name}
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              Download
            </Menu.Item>
            <Menu.Item
              leftSection={<IconListCheck size={15} aria-hidden />}
              disabled={verify.isPending}
              onClick={() => verify.mutate({ name: backup.name })}
            >
              Check
            </Menu.Item>
            {!backup.problem && (
              <Menu.Item leftSection={<IconHistory size={15} aria-hidden />} onClick={onRestore}>
                Restore…
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconTrash size={15} aria-hidden />} color="var(--st-failed)" onClick={onDelete}>
              Delete…
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}
