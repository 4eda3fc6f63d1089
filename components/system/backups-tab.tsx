"use client";

import { IconDatabaseExport } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ReasonButton } from "@/components/editor/reason-button";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { errorWords } from "@/components/ui/error-words";
import { Note } from "@/components/ui/note";
import type { BackupsView } from "@/server/system/schema";
import { BackupFacts } from "./backup-facts";
import { BackupList } from "./backup-list";
import { BackupProgress } from "./backup-progress";
import { Restoring } from "./restoring";
import { SystemSkeleton } from "./system-skeleton";
import { UploadBackup } from "./upload-backup";

export function BackupsTab() {
  const trpc = useTRPC();
  const query = useQuery(trpc.system.backups.queryOptions(undefined, { staleTime: 0 }));
  // Kept here: the list cannot be read while the server is away.
  const [restoring, setRestoring] = useState<string | null>(null);
  const underWay = query.data?.restore && query.data.restore.state !== "failed" ? query.data.restore.name : null;
  const name = restoring ?? underWay;
  if (name) return <Restoring name={name} />;
  if (query.data) return <Backups view={query.data} onRestoring={setRestoring} />;
  if (query.error) {
    return (
      <ErrorState
        title="The backups could not be loaded"
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      >
        {errorWords(query.error).sentence} They are not affected.
      </ErrorState>
    );
  }
  return <SystemSkeleton label="Loading backups" />;
}

type Props = { view: BackupsView; onRestoring: (name: string) => void };

function Backups({ view, onRestoring }: Props) {
  const trpc = useTRPC();
  const backUp = useMutation(trpc.system.backUp.mutationOptions());
  const isTaking = view.taking !== null || backUp.isPending;
  const refusal = backUp.error ? errorWords(backUp.error).sentence : view.failure;
  return (
    <section aria-label="Backups">
      <div className="system-bar backups">
        <p className="grow t2">A backup holds everything but the secrets key: all workspaces, runs and documents.</p>
        <UploadBackup freeBytes={view.freeBytes} />
        <ReasonButton
          variant="filled"
          leftSection={<IconDatabaseExport size={15} aria-hidden />}
          whyNot={isTaking ? "A backup is being taken already." : null}
          onClick={() => backUp.mutate()}
        >
          Back up now
        </ReasonButton>
      </div>
      {isTaking && <BackupProgress taking={view.taking} />}
      {refusal && !isTaking && (
        <div className="system-note">
          <Note tone="bad" role="alert">
            {refusal}
          </Note>
        </div>
      )}
      {view.restore?.state === "failed" && (
        <div className="system-note">
          <Note tone="bad" role="alert">
            <p className="b">{view.restore.name} was not restored.</p>
            <p>{view.restore.says ?? "The server's log says why."}</p>
          </Note>
        </div>
      )}
      {view.backups.length > 0 ? (
        <BackupList backups={view.backups} onRestoring={onRestoring} />
      ) : (
        <EmptyState icon={IconDatabaseExport} title="No backups yet">
          Take one now, then download it: a copy on the same disk does not survive that disk.
        </EmptyState>
      )}
      <BackupFacts view={view} />
    </section>
  );
}
