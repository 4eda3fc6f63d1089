"use client";

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown, IconDeviceFloppy, IconPencil, IconTrash, IconUsers } from "@tabler/icons-react";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "@/components/editor/confirm-dialog";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import type { RunFilters } from "@/server/runs/list-schema";
import type { RunView } from "@/server/runs/views-schema";
import { areSameFilters, NO_FILTERS } from "./run-list-filters";
import { SaveViewDialog } from "./save-view-dialog";

type Props = {
  filters: RunFilters;
  viewId: string | null;
  /** Null: all runs. */
  onOpen: (view: { id: string; filters: RunFilters } | null) => void;
};

/** Saved filters as tabs above the list. A dot says that what is set differs from what was saved. */
export function RunViews({ filters, viewId, onOpen }: Props) {
  const trpc = useTRPC();
  const { data: views } = useSuspenseQuery(trpc.runViews.list.queryOptions());
  const [isSaving, setIsSaving] = useState(false);
  const open = views.find(({ id }) => id === viewId) ?? null;
  const isChanged = !areSameFilters(filters, open?.filters ?? NO_FILTERS);
  if (views.length === 0 && !isChanged) return null;
  return (
    <nav className="run-views" aria-label="Saved views">
      <button type="button" className="run-view" aria-current={open === null} onClick={() => onOpen(null)}>
        All runs
      </button>
      {views.map((view) => (
        <span key={view.id} className="run-view-tab">
          <button
            type="button"
            className="run-view"
            aria-current={view === open}
            title={view.isShared ? `Shared by ${view.by}` : undefined}
            onClick={() => onOpen(view)}
          >
            {view.isShared && <IconUsers size={13} aria-hidden />}
            <span className="ell">{view.name}</span>
            {view.isShared && <span className="sr">, shared with the workspace</span>}
            {view === open && isChanged && (
              <>
                <span className="run-view-dot" title="Other filters than saved" />
                <span className="sr">, other filters than saved</span>
              </>
            )}
          </button>
          {view === open && (
            <ViewMenu view={view} filters={filters} isChanged={isChanged} onDeleted={() => onOpen(null)} />
          )}
        </span>
      ))}
      {isChanged && (
        <Button
          variant="subtle"
          leftSection={<IconDeviceFloppy size={14} aria-hidden />}
          onClick={() => setIsSaving(true)}
        >
          {open ? "Save as another view…" : "Save view…"}
        </Button>
      )}
      {isSaving && (
        <SaveViewDialog
          filters={filters}
          onClose={() => setIsSaving(false)}
          onSaved={(id) => onOpen({ id, filters })}
        />
      )}
    </nav>
  );
}

type ViewMenuProps = { view: RunView; filters: RunFilters; isChanged: boolean; onDeleted: () => void };

function ViewMenu({ view, filters, isChanged, onDeleted }: ViewMenuProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const whyNotEdit = useWhyNotEdit();
  const [asks, setAsks] = useState<"name" | "removal" | null>(null);
  const reread = () => queryClient.invalidateQueries({ queryKey: trpc.runViews.list.queryKey() });
  const change = useMutation(
    trpc.runViews.change.mutationOptions({
      onSuccess: reread,
      onError: (error) =>
        notifications.show({ color: "red", title: "The view was not changed", message: errorWords(error).sentence }),
    }),
  );
  const remove = useMutation(
    trpc.runViews.remove.mutationOptions({
      onSuccess: async () => {
        onDeleted();
        await reread();
      },
    }),
  );
  // Whoever shares a view changes what others see.
  if (whyNotEdit !== null && (view.isShared || !view.isMine)) return null;
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <button type="button" className="icon-btn" aria-label={`Change the view “${view.name}”`}>
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {isChanged && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={15} aria-hidden />}
              onClick={() => change.mutate({ viewId: view.id, filters })}
            >
              Update to current filters
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={() => setAsks("name")}>
            Rename…
          </Menu.Item>
          {whyNotEdit === null && (
            <Menu.Item
              leftSection={<IconUsers size={15} aria-hidden />}
              onClick={() => change.mutate({ viewId: view.id, isShared: !view.isShared })}
            >
              {view.isShared ? "Stop sharing" : "Share with the workspace"}
            </Menu.Item>
          )}
          <Menu.Item
            leftSection={<IconTrash size={15} aria-hidden />}
            color="var(--st-failed)"
            onClick={() => setAsks("removal")}
          >
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asks === "name" && <SaveViewDialog view={view} filters={view.filters} onClose={() => setAsks(null)} />}
      <ConfirmDialog
        opened={asks === "removal"}
        onClose={() => setAsks(null)}
        title={`Delete the view “${view.name}”?`}
        action="Delete view"
        isBusy={remove.isPending}
        refusal={remove.error && errorWords(remove.error).sentence}
        onConfirm={() => remove.mutate({ viewId: view.id })}
      >
        <p className="t2">
          The runs it shows stay as they are.{view.isShared && " It goes for everybody in the workspace."}
        </p>
      </ConfirmDialog>
    </>
  );
}
