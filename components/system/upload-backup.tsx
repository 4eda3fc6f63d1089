"use client";

import { Button, FileButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { sendBackup } from "./send-backup";

/** A backup of another installation, or one that was downloaded before. It is checked before it is listed. */
export function UploadBackup({ freeBytes }: { freeBytes: number | null }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [percent, setPercent] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) => {
      if (freeBytes !== null && file.size > freeBytes)
        throw new Error("There is not enough room for it on the server.");
      return sendBackup(file, (sent) => setPercent(Math.floor((sent / file.size) * 100)));
    },
    onSuccess: async (name) => {
      await queryClient.invalidateQueries({ queryKey: trpc.system.backups.pathKey() });
      notifications.show({ title: "The backup is here", message: `It is whole, and listed as ${name}.` });
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "The backup was not taken", message: error.message, autoClose: false }),
  });
  return (
    <FileButton accept=".gz" onChange={(file) => file && upload.mutate(file)}>
      {(props) => (
        <Button {...props} leftSection={<IconUpload size={15} aria-hidden />} disabled={upload.isPending}>
          {upload.isPending ? (percent < 100 ? `Sending, ${percent} %` : "Checking…") : "Upload a backup…"}
        </Button>
      )}
    </FileButton>
  );
}
