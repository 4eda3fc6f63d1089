"use client";

import { FileButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconFileImport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { z } from "zod";
import { ReasonButton } from "@/components/editor/reason-button";
import { useWhyNotEdit } from "@/components/layout/use-me";
import { useRunsChanged } from "./use-runs-changed";

const stored = z.object({ runId: z.string() });
const refused = z.object({ error: z.object({ message: z.string() }) });

/** Takes a run that was saved as a file, here or elsewhere, to look at it. */
export function OpenRunFile() {
  const router = useRouter();
  const changed = useRunsChanged();
  const whyNot = useWhyNotEdit();
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
    <FileButton accept=".gz,application/gzip" onChange={(file) => file && open.mutate(file)}>
      {({ onClick }) => (
        <ReasonButton
          leftSection={<IconFileImport size={15} aria-hidden />}
          whyNot={whyNot}
          loading={open.isPending}
          onClick={onClick}
        >
          Open a run file…
        </ReasonButton>
      )}
    </FileButton>
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
