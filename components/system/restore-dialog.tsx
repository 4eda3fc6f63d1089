"use client";

import { Button, Checkbox, Modal, Radio, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useMe } from "@/components/layout/use-me";
import { useTRPC } from "@/components/trpc/client";
import { errorWords } from "@/components/ui/error-words";
import { formatExact } from "@/components/ui/format";
import { Note } from "@/components/ui/note";
import type { BackupView } from "@/server/system/schema";

type Props = { backup: BackupView; onClose: () => void; onRestoring: () => void };
type Values = { runs: "interrupt" | "continue"; forgetSecrets: boolean; workspaceName: string };

/** Says what is replaced and what becomes of runs and keys, and asks for the workspace's name before anything happens. */
export function RestoreDialog({ backup, onClose, onRestoring }: Props) {
  const trpc = useTRPC();
  const { workspace } = useMe();
  const restore = useMutation(trpc.system.restore.mutationOptions({ onSuccess: onRestoring }));
  const isOtherKey = backup.key === "other";
  const form = useForm<Values>({
    initialValues: { runs: "interrupt", forgetSecrets: false, workspaceName: "" },
    validate: {
      workspaceName: (name) => (name.trim() === workspace.name.trim() ? null : `Type “${workspace.name}”.`),
      forgetSecrets: (forget) =>
        isOtherKey && !forget ? "Start Troupe with the other key first, or choose to forget the stored keys." : null,
    },
  });
  const submit = ({ runs, forgetSecrets, workspaceName }: Values) =>
    restore.mutate({ name: backup.name, continueRuns: runs === "continue", forgetSecrets, workspaceName });
  return (
    <Modal opened onClose={onClose} title="Restore this backup" size={560} closeButtonProps={{ "aria-label": "Close" }}>
      <form className="col" style={{ gap: 12 }} onSubmit={form.onSubmit(submit)} noValidate>
        <p>
          Everything here is replaced by what was there on {formatExact(new Date(backup.takenAt))}: all workspaces with
          their people, agents, runs and documents. A backup of what is here now is taken first, so that you can go
          back. Troupe is away for some seconds to minutes.
        </p>
        <Radio.Group label="Runs that were under way in the backup" {...form.getInputProps("runs")}>
          <div className="col" style={{ gap: 6, marginTop: 4 }}>
            <Radio value="interrupt" label="Show them as interrupted" description="Nothing they do happens twice." />
            <Radio
              value="continue"
              label="Continue them"
              description="Only if nothing of the original goes on. What they did after the backup was taken may be done again."
            />
          </div>
        </Radio.Group>
        {isOtherKey && (
          <Note tone="warn">
            <p>
              The keys of providers and tool servers in this backup were sealed with another secrets key and do not open
              with this one. To keep them, start Troupe with that SECRETS_KEY and restore then.
            </p>
            <Checkbox
              mt={8}
              label="Forget the stored keys; I enter them again"
              {...form.getInputProps("forgetSecrets", { type: "checkbox" })}
            />
          </Note>
        )}
        <TextInput
          label="Name of this workspace"
          description={`Type “${workspace.name}” to confirm.`}
          autoComplete="off"
          {...form.getInputProps("workspaceName")}
        />
        {restore.error && (
          <Note tone="bad" role="alert">
            {errorWords(restore.error).sentence}
          </Note>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" data-danger loading={restore.isPending || restore.isSuccess}>
            Replace everything
          </Button>
        </div>
      </form>
    </Modal>
  );
}
