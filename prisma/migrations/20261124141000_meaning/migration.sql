-- Where runs lie among others by their words: made in the background once they have ended.

CREATE TABLE "run_vectors" (
    "run_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "dims" INTEGER NOT NULL,
    "embedding" vector NOT NULL,

    CONSTRAINT "run_vectors_pkey" PRIMARY KEY ("run_id")
);
-- In the row: a search reads them one after the other.
ALTER TABLE "run_vectors" ALTER COLUMN "embedding" SET STORAGE PLAIN;
ALTER TABLE "run_vectors" ADD CONSTRAINT "run_vectors_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
