-- Quotas and retention of a workspace. Empty objects: the defaults of server/usage/schema.ts.
ALTER TABLE "workspaces" ADD COLUMN "limits" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "workspaces" ADD COLUMN "retention" JSONB NOT NULL DEFAULT '{}';

CREATE TABLE "workspace_usage" (
    "workspace_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "items" BIGINT NOT NULL,
    "measured_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "workspace_usage_pkey" PRIMARY KEY ("workspace_id", "kind"),
    CONSTRAINT "workspace_usage_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "installation" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "moved_to" TEXT,
    "moved_at" TIMESTAMPTZ(3),
    "restored_from" TEXT,
    "restored_at" TIMESTAMPTZ(3),
    CONSTRAINT "installation_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "installation_one_row" CHECK ("id" = 1)
);
INSERT INTO "installation" DEFAULT VALUES;

-- What a run keeps, in bytes, measured once after it ended; null until then. Blobs are shared and not in it.
ALTER TABLE "runs" ADD COLUMN "kept_bytes" BIGINT;
-- Runs in flight and those that ended lately: what is counted at every start and measured again and again.
CREATE INDEX "runs_unmeasured_idx" ON "runs"("workspace_id") WHERE "kept_bytes" IS NULL;

-- Whether anything still names a blob is looked up by its hash.
CREATE INDEX "decisions_options_hash_idx" ON "decisions"("options_hash") WHERE "options_hash" IS NOT NULL;
CREATE INDEX "steps_request_hash_idx" ON "steps"("request_hash") WHERE "request_hash" IS NOT NULL;
CREATE INDEX "messages_blob_idx" ON "messages"(("content" ->> 'blob')) WHERE "content" ? 'blob';

CREATE TABLE "workspace_upkeep" (
    "workspace_id" UUID NOT NULL,
    "runs_day" DATE,
    "runs_started" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "measure_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "clean_due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "workspace_upkeep_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "workspace_upkeep_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "cleanups" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "started_by_id" UUID,
    "cutoffs" JSONB NOT NULL,
    "removed" JSONB NOT NULL DEFAULT '{}',
    "problem" TEXT,
    "worker_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "cleanups_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "cleanups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "cleanups_started_by_id_fkey" FOREIGN KEY ("started_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "cleanups_workspace_id_id_key" ON "cleanups"("workspace_id", "id");
-- One at a time.
CREATE UNIQUE INDEX "cleanups_unfinished_key" ON "cleanups"("workspace_id") WHERE "finished_at" IS NULL;

-- Removing a run or a file looks up what refers to it.
CREATE INDEX "runs_rerun_of_id_idx" ON "runs"("rerun_of_id") WHERE "rerun_of_id" IS NOT NULL;
CREATE INDEX "documents_file_id_idx" ON "documents"("file_id");

-- What a seed made to be looked at, and how it was then: what somebody changed since stays when the examples are removed.
CREATE TABLE "examples" (
    "workspace_id" UUID NOT NULL,
    "noun" TEXT NOT NULL,
    "row_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    CONSTRAINT "examples_pkey" PRIMARY KEY ("workspace_id", "noun", "row_id"),
    CONSTRAINT "examples_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The list of teams counts the runs of each.
CREATE INDEX "runs_team_id_created_at_idx" ON "runs"("team_id", "created_at");
