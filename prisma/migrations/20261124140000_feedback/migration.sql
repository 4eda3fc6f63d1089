-- What people say of the answers of runs (INT-LEARN-01, -02).

CREATE TABLE "feedback" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "user_id" UUID,
    "type" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "conversation_id" UUID,
    "team_id" UUID,
    "agent_id" UUID NOT NULL,
    "agent_name" TEXT NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "edited_at" TIMESTAMPTZ(3),

    CONSTRAINT "feedback_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "feedback_workspace_id_at_id_idx" ON "feedback"("workspace_id", "at" DESC, "id");
CREATE INDEX "feedback_run_id_idx" ON "feedback"("run_id");
-- A person has one vote on an answer; corrections and preferences may be several.
CREATE UNIQUE INDEX "feedback_vote_idx" ON "feedback"("run_id", "user_id") WHERE "type" IN ('positive', 'negative');
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
