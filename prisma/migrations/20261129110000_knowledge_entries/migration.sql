-- Entries (INT-CTX-23, 24): documents that people wrote in a form, each of one kind. See docs/decisions/042-entries-are-documents-people-wrote.md.
ALTER TABLE "documents" ADD COLUMN "entry_kind" TEXT;
ALTER TABLE "documents" ADD CONSTRAINT "documents_entry_kind_check"
  CHECK ("entry_kind" IN ('problem-solution', 'pattern', 'decision', 'learning', 'antipattern'));
-- The run an entry was saved from, and the row of its tree: agent:<id>, decision:<id>, <agent run>.<position>; null: the run itself.
ALTER TABLE "documents" ADD COLUMN "from_run_id" UUID;
ALTER TABLE "documents" ADD COLUMN "from_place" TEXT;
-- Only the run is forgotten with it: the workspace is the entry's own.
ALTER TABLE "documents" ADD CONSTRAINT "documents_workspace_id_from_run_id_fkey" FOREIGN KEY ("workspace_id", "from_run_id")
  REFERENCES "runs"("workspace_id", "id") ON DELETE SET NULL ("from_run_id") ON UPDATE CASCADE;
-- For searches of one kind, and for runs that go. Most documents are uploads and in neither.
CREATE INDEX "documents_base_id_entry_kind_idx" ON "documents"("base_id", "entry_kind") WHERE "entry_kind" IS NOT NULL;
CREATE INDEX "documents_from_run_id_idx" ON "documents"("workspace_id", "from_run_id") WHERE "from_run_id" IS NOT NULL;
