"use client";

import { useDisclosure } from "@mantine/hooks";
import { IconWritingSign } from "@tabler/icons-react";
import { laterDialog } from "@/components/ui/later";
import { EditButton } from "./edit-button";

const WriteEntryDialog = laterDialog(() => import("./write-entry-dialog").then((it) => it.WriteEntryDialog));

type Props = {
  baseId: string;
  /** It was saved: show where it appears. */
  onSaved: () => void;
};

export function WriteEntryButton({ baseId, onSaved }: Props) {
  const [opened, dialog] = useDisclosure(false);
  return (
    <>
      <EditButton leftSection={<IconWritingSign size={15} aria-hidden />} onClick={dialog.open}>
        Write an entry…
      </EditButton>
      {opened && <WriteEntryDialog baseId={baseId} onClose={dialog.close} onSaved={onSaved} />}
    </>
  );
}
