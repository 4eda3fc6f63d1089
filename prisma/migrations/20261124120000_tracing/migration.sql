-- Traces sent to an OTLP endpoint that a workspace names. What is sent is read from the record of ended agent runs: nothing is
-- written while one works but what was written before.
CREATE TABLE "trace_sinks" (
  "workspace_id" UUID NOT NULL,
  "url" TEXT NOT NULL,
  "headers_sealed" TEXT,
  "header_names" JSONB NOT NULL DEFAULT '[]',
  "enabled" BOOLEAN NOT NULL DEFAULT true,
  "with_content" BOOLEAN NOT NULL DEFAULT false,
  "settled_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "worker_id" TEXT,
  "failures" INTEGER NOT NULL DEFAULT 0,
  "failing_since" TIMESTAMPTZ(3),
  "problem" TEXT,
  "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "sent_at" TIMESTAMPTZ(3),
  "sent" BIGINT NOT NULL DEFAULT 0,
  "dropped" BIGINT NOT NULL DEFAULT 0,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "trace_sinks_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "trace_sinks" ADD CONSTRAINT "trace_sinks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "trace_exports" (
  "agent_run_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "trace_exports_pkey" PRIMARY KEY ("agent_run_id")
);
CREATE INDEX "trace_exports_workspace_id_at_idx" ON "trace_exports"("workspace_id", "at");
ALTER TABLE "trace_exports" ADD CONSTRAINT "trace_exports_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Agent runs in the order they ended. One entry for each, when it ends; no update before touches the index.
CREATE INDEX "agent_runs_finished_idx" ON "agent_runs"("workspace_id", "finished_at", "id") WHERE "finished_at" IS NOT NULL;
