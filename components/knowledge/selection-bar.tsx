"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { formatPlural } from "@/components/ui/format";
import type { BaseDetail, DocumentView } from "@/server/knowledge/schema";
import { RemoveDocumentsDialog } from "./remove-documents-dialog";

type Props = { base: Pick<BaseDetail, "id" | "name">; selected: readonly DocumentView[]; onClear: () => void };

/** What can be done with the documents that are selected. */
export function SelectionBar({ base, selected, onClear }: Props) {
  const [asking, dialog] = useDisclosure(false);
  return (
    <>
      {selected.length > 0 && (
        <div className="picked">
          <span className="grow" role="status">
            {formatPlural(selected.length, "document")} selected
          </span>
          <Button variant="subtle" onClick={onClear}>
            Clear selection
          </Button>
          <Button data-danger leftSection={<IconTrash size={15} aria-hidden />} onClick={dialog.open}>
            Remove…
          </Button>
        </div>
      )}
      <RemoveDocumentsDialog
        base={base}
        documents={selected}
        opened={asking}
        onClose={dialog.close}
        onRemoved={() => {
          dialog.close();
          onClear();
        }}
      />
    </>
  );
}
