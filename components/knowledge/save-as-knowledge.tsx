"use client";

import { Anchor, Button, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconBookmarkPlus } from "@tabler/icons-react";
import Link from "next/link";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { laterDialog } from "@/components/ui/later";
import type { DocumentView } from "@/server/knowledge/schema";
import { documentHref } from "./knowledge-links";
import type { EntryStart } from "./write-entry-dialog";

const WriteEntryDialog = laterDialog(() => import("./write-entry-dialog").then((it) => it.WriteEntryDialog));

type Props = {
  start: EntryStart;
  /** Beside other signs, or among buttons. */
  look: "icon" | "button";
};

/** Keeps what a run came to as an entry, once a person has read and edited it. Only those who may fill bases are offered it. */
export function SaveAsKnowledge({ start, look }: Props) {
  const [opened, dialog] = useDisclosure(false);
  if (useWhyNotEdit() !== null) return null;
  return (
    <>
      {look === "icon" ? (
        <Tooltip label="Save as knowledge…">
          <button type="button" className="icon-btn" aria-label="Save as knowledge" onClick={dialog.open}>
            <IconBookmarkPlus size={15} stroke={1.75} aria-hidden />
          </button>
        </Tooltip>
      ) : (
        <Button leftSection={<IconBookmarkPlus size={15} aria-hidden />} onClick={dialog.open}>
          Save as knowledge…
        </Button>
      )}
      {opened && <WriteEntryDialog start={start} onClose={dialog.close} onSaved={tellSaved} />}
    </>
  );
}

function tellSaved({ baseId, id, name }: DocumentView): void {
  notifications.show({
    message: (
      <>
        Saved as{" "}
        <Anchor component={Link} href={documentHref(baseId, id)} inherit>
          {name}
        </Anchor>
        . Agents find it once it is indexed.
      </>
    ),
  });
}
