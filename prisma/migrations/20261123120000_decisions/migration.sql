-- Decisions across runs: lists by time, what people said of them, and where they lie among others by their words.

CREATE INDEX "decisions_workspace_id_at_id_idx" ON "decisions"("workspace_id", "at" DESC, "id");
-- What ended badly is looked for across runs. Steps never change once recorded, and few are in it.
CREATE INDEX "steps_unwell_idx" ON "steps"("workspace_id", "agent_run_id") WHERE "status" <> 'completed';

CREATE TABLE "decision_labels" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "decision_id" UUID NOT NULL,
    "user_id" UUID,
    "verdict" TEXT NOT NULL,
    "option" TEXT,
    "words" TEXT,
    "note" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "decision_labels_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "decision_labels_decision_id_idx" ON "decision_labels"("decision_id");
-- One of a person stands at a time.
CREATE UNIQUE INDEX "decision_labels_standing_idx" ON "decision_labels"("decision_id", "user_id") WHERE "ended_at" IS NULL;
CREATE INDEX "decision_labels_verdict_idx" ON "decision_labels"("workspace_id", "verdict", "decision_id") WHERE "ended_at" IS NULL;
ALTER TABLE "decision_labels" ADD CONSTRAINT "decision_labels_workspace_id_decision_id_fkey" FOREIGN KEY ("workspace_id", "decision_id") REFERENCES "decisions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "decision_labels" ADD CONSTRAINT "decision_labels_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "decision_vectors" (
    "decision_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,
    "dims" INTEGER NOT NULL,
    "embedding" vector NOT NULL,

    CONSTRAINT "decision_vectors_pkey" PRIMARY KEY ("decision_id")
);
-- In the row: a search reads them one after the other.
ALTER TABLE "decision_vectors" ALTER COLUMN "embedding" SET STORAGE PLAIN;
CREATE INDEX "decision_vectors_workspace_id_kind_at_idx" ON "decision_vectors"("workspace_id", "kind", "at" DESC);
ALTER TABLE "decision_vectors" ADD CONSTRAINT "decision_vectors_workspace_id_decision_id_fkey" FOREIGN KEY ("workspace_id", "decision_id") REFERENCES "decisions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
