"use client";

import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown, IconFileImport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { z } from "zod";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { DownloadItems } from "@/components/ui/download-menu";
import type { RunFilters } from "@/server/runs/list-schema";
import { useRunsChanged } from "./use-runs-changed";

const stored = z.object({ runId: z.string() });
const refused = z.object({ error: z.object({ message: z.string() }) });

/** What else can be done with the list of runs: taking it away as a file, and opening a run that was saved as one. */
export function RunsMore({ filters }: { filters: RunFilters }) {
  const router = useRouter();
  const changed = useRunsChanged();
  const whyNot = useWhyNotEdit();
  const input = useRef<HTMLInputElement>(null);
  const open = useMutation({
    mutationFn: sendRunFile,
    onSuccess: async (runId) => {
      await changed();
      router.push(`/runs/${runId}`);
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "The file was not opened", message: error.message, autoClose: false }),
  });
  return (
    <>
      {/* Outside of the menu, which is gone when the file was chosen. */}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Run file"
        accept=".gz,application/gzip"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) open.mutate(file);
          currentTarget.value = "";
        }}
      />
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button
            rightSection={<IconChevronDown size={14} aria-hidden />}
            leftSection={<IconFileImport size={15} aria-hidden />}
            loading={open.isPending}
            aria-label="Files"
            className="runs-files"
          >
            <span className="hide-m">Files</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {whyNot === null ? (
            <Menu.Item leftSection={<IconFileImport size={15} aria-hidden />} onClick={() => input.current?.click()}>
              Open a run file…
            </Menu.Item>
          ) : (
            <Menu.Label>Run files are opened by editors. Ask an owner for the editor role.</Menu.Label>
          )}
          <Menu.Divider />
          <Menu.Label>The runs of this list</Menu.Label>
          <DownloadItems
            href={(format) => `/api/runs/list?${new URLSearchParams({ format, filters: JSON.stringify(filters) })}`}
          />
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

async function sendRunFile(file: File): Promise<string> {
  const response = await fetch("/api/runs/import", {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  }).catch(() => {
    throw new Error("The connection broke before all of it was sent. Nothing was kept.");
  });
  const answer: unknown = await response.json().catch(() => null);
  const kept = stored.safeParse(answer);
  if (response.ok && kept.success) return kept.data.runId;
  const told = refused.safeParse(answer);
  if (told.success) throw new Error(told.data.error.message);
  throw new Error(
    response.status === 413
      ? "Something between here and the server refuses files of this size. Ask whoever runs the proxy to allow it."
      : "The server did not answer as expected. Nothing was kept.",
  );
}
