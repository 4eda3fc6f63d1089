-- What is written down of runs for good: seals of their records, and their removals. Append-only, each entry with the hash of the one before.
CREATE TABLE "ledger_entries" (
  "workspace_id" UUID NOT NULL,
  "seq" INTEGER NOT NULL,
  "kind" TEXT NOT NULL CHECK ("kind" IN ('run.sealed', 'run.removed', 'run.expired')),
  "subject_id" UUID NOT NULL,
  "digest" TEXT,
  "events" INTEGER,
  "by_id" UUID,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "previous_hash" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("workspace_id", "seq")
);
CREATE INDEX "ledger_entries_workspace_id_subject_id_idx" ON "ledger_entries"("workspace_id", "subject_id");
-- A record is sealed once, whoever tries at the same time.
CREATE UNIQUE INDEX "ledger_entries_one_seal" ON "ledger_entries"("workspace_id", "subject_id") WHERE "kind" = 'run.sealed';
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "ledger_heads" (
  "workspace_id" UUID NOT NULL,
  "seq" INTEGER NOT NULL,
  "hash" TEXT NOT NULL,
  CONSTRAINT "ledger_heads_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "ledger_heads" ADD CONSTRAINT "ledger_heads_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Runs that ended since the last look are found by it.
CREATE INDEX "runs_finished_idx" ON "runs"("finished_at") WHERE "finished_at" IS NOT NULL;
