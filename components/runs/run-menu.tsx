"use client";

import { Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  IconArchive,
  IconArchiveOff,
  IconFileExport,
  IconPencil,
  IconShare2,
  IconTags,
  IconTrash,
} from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useWhyNotAct, useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { laterDialog } from "@/components/ui/later";
import { isTerminal } from "@/server/engine/state";
import type { RunSummary } from "@/server/runs/schema";
import { whyNotRemove } from "./removal-words";
import { RenameRunDialog } from "./rename-run-dialog";
import { useRunsChanged } from "./use-runs-changed";

// Loaded when they are asked for: they are on every page that names a run.
const RemoveRunsDialog = laterDialog(() => import("./remove-runs-dialog").then((it) => it.RemoveRunsDialog));
const ShareRunDialog = laterDialog(() => import("./share-run-dialog").then((it) => it.ShareRunDialog));
const RunTagsDialog = laterDialog(() => import("./run-tags-dialog").then((it) => it.RunTagsDialog));

type Props = {
  run: Pick<RunSummary, "id" | "title" | "tags" | "archived" | "status">;
  /** Opens the menu. */
  children: ReactNode;
  /** What else the menu offers, before the rest. */
  first?: ReactNode;
  onArchived?: () => void;
  onRemoved?: () => void;
};

/** What can be done with a run as an entry of the list: save, rename, tags, archive, delete. Viewers may save it. */
export function RunMenu({ run, children, first, onArchived = () => {}, onRemoved = () => {} }: Props) {
  const trpc = useTRPC();
  const changed = useRunsChanged();
  const whyNotAct = useWhyNotAct();
  const whyNotEdit = useWhyNotEdit() ?? whyNotRemove(run.status);
  const [asks, setAsks] = useState<"title" | "tags" | "removal" | "links" | null>(null);
  const archive = useMutation(
    trpc.runs.archive.mutationOptions({
      onSuccess: async (_, { archived }) => {
        notifications.show({
          message: archived ? "Archived. The filter “Archived” shows it." : "Back in the list of runs.",
        });
        await changed();
        onArchived();
      },
      onError: (error) =>
        notifications.show({ color: "red", title: "It was not archived", message: errorWords(error).sentence }),
    }),
  );
  const close = () => setAsks(null);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {first}
          {isTerminal(run.status) ? (
            <Menu.Item
              component="a"
              href={`/api/runs/${run.id}/file`}
              download
              leftSection={<IconFileExport size={15} aria-hidden />}
            >
              Save as a file
            </Menu.Item>
          ) : (
            <Menu.Label>Once it has ended it can be saved as a file.</Menu.Label>
          )}
          <Menu.Item leftSection={<IconShare2 size={15} aria-hidden />} onClick={() => setAsks("links")}>
            Share a link…
          </Menu.Item>
          {whyNotAct === null && (
            <>
              <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setAsks("title")}>
                Rename…
              </Menu.Item>
              <Menu.Item leftSection={<IconTags size={15} aria-hidden />} onClick={() => setAsks("tags")}>
                Tags…
              </Menu.Item>
              <Menu.Item
                leftSection={
                  run.archived ? <IconArchiveOff size={15} aria-hidden /> : <IconArchive size={15} aria-hidden />
                }
                onClick={() => archive.mutate({ runIds: [run.id], archived: run.archived === null })}
              >
                {run.archived ? "Take back into the list" : "Archive"}
              </Menu.Item>
              {whyNotEdit === null ? (
                <Menu.Item
                  leftSection={<IconTrash size={15} aria-hidden />}
                  color="var(--st-failed)"
                  onClick={() => setAsks("removal")}
                >
                  Delete…
                </Menu.Item>
              ) : (
                <Menu.Label>Only editors delete runs. Ask an owner for the editor role.</Menu.Label>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asks === "title" && <RenameRunDialog run={run} onClose={close} />}
      {asks === "tags" && <RunTagsDialog run={run} onClose={close} />}
      {asks === "links" && <ShareRunDialog run={run} onClose={close} />}
      {asks === "removal" && (
        <RemoveRunsDialog runIds={[run.id]} title={run.title} onClose={close} onRemoved={onRemoved} />
      )}
    </>
  );
}
