-- What a turn writes to the log (docs/decisions/030-what-a-turn-writes.md): steps and usages are found by their agent run, whose index by
-- run there is; a decision has one unique index, by which others name it; and what is appended at an index's end splits no page in half.
DROP INDEX "steps_run_id_idx";
DROP INDEX "usages_run_id_idx";

ALTER TABLE "decisions" DROP CONSTRAINT "decisions_pkey";
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_pkey" PRIMARY KEY USING INDEX "decisions_workspace_id_id_key";

DROP INDEX "decisions_workspace_id_at_id_idx";
CREATE INDEX "decisions_workspace_id_at_id_idx" ON "decisions" ("workspace_id", "at", "id" DESC);
