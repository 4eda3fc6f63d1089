-- How calls to a provider or a tool are guarded, and what of that all workers share.

-- See server/engine/resilience/policy.ts; what is left out has its default.
ALTER TABLE "providers" ADD COLUMN "resilience" JSONB NOT NULL DEFAULT '{}';

-- Breaker and rate limit of one subject, provider:<id> or tool:<name>. Only where a policy has one of them on. `version` rises with each
-- change: whoever changes it names the one it read.
CREATE TABLE "gates" (
  "workspace_id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "version" INTEGER NOT NULL,
  "breaker" JSONB,
  "rate" JSONB,
  "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "gates_pkey" PRIMARY KEY ("workspace_id", "subject")
);
ALTER TABLE "gates" ADD CONSTRAINT "gates_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Slots of tools beside those of providers: how many there are is their policy's.
ALTER TABLE "call_slots" ALTER COLUMN "provider_id" DROP NOT NULL;
ALTER TABLE "call_slots" ADD COLUMN "workspace_id" UUID;
ALTER TABLE "call_slots" ADD COLUMN "subject" TEXT;
CREATE INDEX "call_slots_workspace_id_subject_idx" ON "call_slots"("workspace_id", "subject");
ALTER TABLE "call_slots" ADD CONSTRAINT "call_slots_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As take_call_slot(), for a subject of a workspace that allows p_most calls at once. Locks: gates.
CREATE FUNCTION take_subject_slot(p_workspace uuid, p_subject text, p_most int, p_worker text, p_id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO gates (workspace_id, subject, version) VALUES (p_workspace, p_subject, 0) ON CONFLICT DO NOTHING;
  PERFORM FROM gates WHERE workspace_id = p_workspace AND subject = p_subject FOR NO KEY UPDATE;
  -- The answer to an earlier attempt was lost.
  IF EXISTS (SELECT FROM call_slots WHERE id = p_id) THEN RETURN true; END IF;
  DELETE FROM call_slots s WHERE s.workspace_id = p_workspace AND s.subject = p_subject
    AND (s.at < now() - interval '1 hour' OR NOT EXISTS (SELECT FROM workers w WHERE w.id = s.worker_id));
  IF (SELECT count(*) FROM call_slots WHERE workspace_id = p_workspace AND subject = p_subject) >= p_most THEN RETURN false; END IF;
  INSERT INTO call_slots (id, workspace_id, subject, worker_id) VALUES (p_id, p_workspace, p_subject, p_worker);
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION release_call_slot(p_id text) RETURNS void LANGUAGE sql AS $$
  WITH freed AS (DELETE FROM call_slots WHERE id = p_id RETURNING provider_id, workspace_id)
  SELECT pg_notify('troupe_work', 'slot:' || coalesce(provider_id, workspace_id)) FROM freed
$$;

-- Calls that failed for good: written with the step that failed. A person acknowledges one, or has a tool's call made again by a worker.
CREATE TABLE "dead_letters" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "agent_run_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "kind" TEXT NOT NULL,
  "operation" TEXT NOT NULL,
  "code" TEXT NOT NULL,
  "stable_code" TEXT NOT NULL,
  "category" TEXT NOT NULL,
  "message" TEXT NOT NULL,
  "arguments" TEXT,
  "call_key" TEXT,
  "repeats" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'open',
  "worker_id" TEXT,
  "result" TEXT,
  "note" TEXT,
  "changed_by_id" UUID,
  "changed_at" TIMESTAMPTZ(3),
  "at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "dead_letters_workspace_id_at_id_idx" ON "dead_letters"("workspace_id", "at" DESC, "id");
CREATE INDEX "dead_letters_run_id_idx" ON "dead_letters"("run_id");
CREATE INDEX "dead_letters_open_idx" ON "dead_letters"("workspace_id") WHERE "status" = 'open';
CREATE INDEX "dead_letters_asked_idx" ON "dead_letters"("at") WHERE "status" IN ('requested', 'replaying');
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_changed_by_id_fkey" FOREIGN KEY ("changed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
