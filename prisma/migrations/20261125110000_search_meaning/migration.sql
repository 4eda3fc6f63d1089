-- Finding runs and decisions by a model of a provider. A workspace without a row has never left the built-in way.
CREATE TABLE "finding_settings" (
  "workspace_id" UUID NOT NULL,
  "embedding_model" TEXT NOT NULL,
  "dims" INTEGER NOT NULL,
  "worker_id" TEXT,
  "swept_at" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "problem" TEXT,
  "refusal" TEXT,
  "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "texts" BIGINT NOT NULL DEFAULT 0,
  "tokens" BIGINT NOT NULL DEFAULT 0,
  "chosen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "finding_settings_pkey" PRIMARY KEY ("workspace_id")
);
ALTER TABLE "finding_settings" ADD CONSTRAINT "finding_settings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Which model made a vector: only those of one model are compared. What is there was made by the built-in one.
ALTER TABLE "run_vectors" ADD COLUMN "model" TEXT NOT NULL DEFAULT 'built-in', ADD COLUMN "refused" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "decision_vectors" ADD COLUMN "model" TEXT NOT NULL DEFAULT 'built-in', ADD COLUMN "refused" BOOLEAN NOT NULL DEFAULT false;

-- In the row as long as it fits a page, some 2,000 numbers, and never compressed: a search reads them one after the other. Longer ones beside the table.
ALTER TABLE "run_vectors" ALTER COLUMN "embedding" SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);
ALTER TABLE "decision_vectors" ALTER COLUMN "embedding" SET STORAGE EXTERNAL, SET (toast_tuple_target = 8160);
