-- DropIndex
DROP INDEX "agents_workspace_id_name_key";

-- DropIndex
DROP INDEX "teams_workspace_id_name_key";

-- AlterTable
ALTER TABLE "agent_runs" ALTER COLUMN "team_node_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "agent_versions" ADD COLUMN     "draft_revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "published_by_id" UUID;

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "draft_revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "draft_saved_by_id" UUID;

-- AlterTable
ALTER TABLE "runs" ADD COLUMN     "agent_version_id" UUID,
ADD COLUMN     "conversation_id" UUID,
ADD COLUMN     "rerun_of_id" UUID,
ALTER COLUMN "team_id" DROP NOT NULL,
ALTER COLUMN "team_version_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "team_nodes" ADD COLUMN     "purpose" TEXT;

-- AlterTable
ALTER TABLE "team_versions" ADD COLUMN     "draft_revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "published_by_id" UUID;

-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "draft" JSONB,
ADD COLUMN     "draft_revision" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "draft_saved_by_id" UUID,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "sessions_from" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "default_model" TEXT;

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "team_id" UUID,
    "agent_id" UUID,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invites" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "used_by_id" UUID,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "invites_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "knowledge_bases" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "conversation_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "embedding_model" TEXT NOT NULL DEFAULT 'built-in',
    "generation" INTEGER NOT NULL DEFAULT 1,
    "dims" INTEGER NOT NULL,
    "next_embedding" JSONB,
    "settings" JSONB NOT NULL,
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "term_count" BIGINT NOT NULL DEFAULT 0,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "knowledge_bases_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,
    "sha256" TEXT,
    "status" TEXT NOT NULL DEFAULT 'uploading',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "file_parts" (
    "file_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "file_parts_pkey" PRIMARY KEY ("file_id","part")
);

-- CreateTable
CREATE TABLE "documents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "base_id" UUID NOT NULL,
    "file_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "status_reason" TEXT,
    "progress_done" INTEGER NOT NULL DEFAULT 0,
    "progress_total" INTEGER NOT NULL DEFAULT 0,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "live_revision" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "pages" INTEGER,
    "characters" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "indexed_at" TIMESTAMPTZ(3),

    CONSTRAINT "documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "chunks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "base_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "heading" TEXT NOT NULL DEFAULT '',
    "page" INTEGER,
    "starts_at" INTEGER NOT NULL,
    "terms" INTEGER NOT NULL,

    CONSTRAINT "chunks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "postings" (
    "base_id" UUID NOT NULL,
    -- Compared byte by byte: much faster to write than in the order of a language, and the same on every system.
    "term" TEXT COLLATE "C" NOT NULL,
    "chunk_id" UUID NOT NULL,
    "frequency" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,

    CONSTRAINT "postings_pkey" PRIMARY KEY ("base_id","term","chunk_id")
);

-- CreateTable
CREATE TABLE "chunk_embeddings" (
    "chunk_id" UUID NOT NULL,
    "generation" INTEGER NOT NULL,
    "base_id" UUID NOT NULL,
    "dims" INTEGER NOT NULL,
    "embedding" vector NOT NULL,

    CONSTRAINT "chunk_embeddings_pkey" PRIMARY KEY ("chunk_id","generation")
);

-- CreateTable
CREATE TABLE "citations" (
    "run_id" UUID NOT NULL,
    "mark" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "agent_run_id" UUID NOT NULL,
    "chunk_id" UUID NOT NULL,
    "base_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "document_name" TEXT NOT NULL,
    "heading" TEXT NOT NULL DEFAULT '',
    "page" INTEGER,
    "text" TEXT NOT NULL,
    "scores" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "citations_pkey" PRIMARY KEY ("run_id","mark")
);

-- CreateTable
CREATE TABLE "providers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "api_key_sealed" TEXT,
    "api_key_hint" TEXT,
    "checked_at" TIMESTAMPTZ(3),
    "check_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_models" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "provider_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "context_tokens" INTEGER,
    "input_nano_usd_per_mtok" BIGINT,
    "output_nano_usd_per_mtok" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "provider_models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allowed_hosts" (
    "workspace_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "allowed_hosts_pkey" PRIMARY KEY ("workspace_id","host","port")
);

-- CreateTable
CREATE TABLE "tool_servers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "transport" TEXT NOT NULL,
    "url" TEXT,
    "command" TEXT,
    "args" JSONB NOT NULL DEFAULT '[]',
    "secret_sealed" TEXT,
    "secret_names" JSONB NOT NULL DEFAULT '[]',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "tools" JSONB NOT NULL DEFAULT '[]',
    "effects" JSONB NOT NULL DEFAULT '{}',
    "checked_at" TIMESTAMPTZ(3),
    "check_error" TEXT,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tool_servers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "conversations_workspace_id_updated_at_id_idx" ON "conversations"("workspace_id", "updated_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_workspace_id_id_key" ON "conversations"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "invites_token_hash_key" ON "invites"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "invites_workspace_id_id_key" ON "invites"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "knowledge_bases_workspace_id_id_key" ON "knowledge_bases"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "knowledge_bases_workspace_id_conversation_id_key" ON "knowledge_bases"("workspace_id", "conversation_id");

-- CreateIndex
CREATE INDEX "files_status_touched_at_idx" ON "files"("status", "touched_at");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_id_key" ON "files"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "documents_status_created_at_idx" ON "documents"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "documents_workspace_id_id_key" ON "documents"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "documents_base_id_name_key" ON "documents"("base_id", "name");

-- CreateIndex
CREATE INDEX "chunks_base_id_idx" ON "chunks"("base_id");

-- CreateIndex
CREATE UNIQUE INDEX "chunks_workspace_id_id_key" ON "chunks"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "chunks_document_id_revision_position_key" ON "chunks"("document_id", "revision", "position");

-- CreateIndex
CREATE INDEX "postings_chunk_id_idx" ON "postings"("chunk_id");

-- CreateIndex
CREATE INDEX "chunk_embeddings_base_id_generation_idx" ON "chunk_embeddings"("base_id", "generation");

-- CreateIndex
CREATE INDEX "citations_chunk_id_idx" ON "citations"("chunk_id");

-- CreateIndex
CREATE UNIQUE INDEX "providers_workspace_id_id_key" ON "providers"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "providers_workspace_id_name_key" ON "providers"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "provider_models_workspace_id_id_key" ON "provider_models"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_models_provider_id_name_key" ON "provider_models"("provider_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "tool_servers_workspace_id_id_key" ON "tool_servers"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tool_servers_workspace_id_name_key" ON "tool_servers"("workspace_id", "name");

-- CreateIndex
CREATE INDEX "runs_conversation_id_created_at_idx" ON "runs"("conversation_id", "created_at");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_draft_saved_by_id_fkey" FOREIGN KEY ("draft_saved_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_published_by_id_fkey" FOREIGN KEY ("published_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invites" ADD CONSTRAINT "invites_used_by_id_fkey" FOREIGN KEY ("used_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "knowledge_bases" ADD CONSTRAINT "knowledge_bases_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "file_parts" ADD CONSTRAINT "file_parts_workspace_id_file_id_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "files"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_workspace_id_base_id_fkey" FOREIGN KEY ("workspace_id", "base_id") REFERENCES "knowledge_bases"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_workspace_id_file_id_fkey" FOREIGN KEY ("workspace_id", "file_id") REFERENCES "files"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_workspace_id_base_id_fkey" FOREIGN KEY ("workspace_id", "base_id") REFERENCES "knowledge_bases"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_workspace_id_document_id_fkey" FOREIGN KEY ("workspace_id", "document_id") REFERENCES "documents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "citations" ADD CONSTRAINT "citations_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "providers" ADD CONSTRAINT "providers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_models" ADD CONSTRAINT "provider_models_workspace_id_provider_id_fkey" FOREIGN KEY ("workspace_id", "provider_id") REFERENCES "providers"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allowed_hosts" ADD CONSTRAINT "allowed_hosts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allowed_hosts" ADD CONSTRAINT "allowed_hosts_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_agent_version_id_fkey" FOREIGN KEY ("workspace_id", "agent_version_id") REFERENCES "agent_versions"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_conversation_id_fkey" FOREIGN KEY ("workspace_id", "conversation_id") REFERENCES "conversations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_rerun_of_id_fkey" FOREIGN KEY ("workspace_id", "rerun_of_id") REFERENCES "runs"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_draft_saved_by_id_fkey" FOREIGN KEY ("draft_saved_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_versions" ADD CONSTRAINT "team_versions_published_by_id_fkey" FOREIGN KEY ("published_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_servers" ADD CONSTRAINT "tool_servers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tool_servers" ADD CONSTRAINT "tool_servers_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A name is free again once its agent or team was deleted.
CREATE UNIQUE INDEX "agents_name_key" ON "agents"("workspace_id", "name") WHERE "archived_at" IS NULL;
CREATE UNIQUE INDEX "teams_name_key" ON "teams"("workspace_id", "name") WHERE "archived_at" IS NULL;
CREATE UNIQUE INDEX "knowledge_bases_name_key" ON "knowledge_bases"("workspace_id", "name") WHERE "conversation_id" IS NULL;

-- Deleting a conversation deletes its runs: what hangs on a decision or an agent run is looked up by it.
CREATE INDEX "decisions_agent_run_id_idx" ON "decisions"("agent_run_id");
CREATE INDEX "agent_runs_spawned_by_id_idx" ON "agent_runs"("spawned_by_id");
CREATE INDEX "human_requests_decision_id_idx" ON "human_requests"("decision_id");

-- A run is of a team or of one agent.
ALTER TABLE "runs" ADD CONSTRAINT "runs_one_target" CHECK (
  ("team_id" IS NULL) = ("team_version_id" IS NULL) AND ("team_version_id" IS NULL) <> ("agent_version_id" IS NULL));
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_one_target" CHECK (("team_id" IS NULL) <> ("agent_id" IS NULL));

-- Entries of the search index go with their chunk. They name the base, which names the workspace.
ALTER TABLE "postings" ADD CONSTRAINT "postings_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "chunk_embeddings" ADD CONSTRAINT "chunk_embeddings_chunk_id_fkey" FOREIGN KEY ("chunk_id") REFERENCES "chunks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Tells every open page that something of a noun changed: `workspace:noun:id`. A hint: readers read again.
CREATE FUNCTION tell_changed(p_workspace uuid, p_noun text, p_id uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('troupe_changed', p_workspace || ':' || p_noun || ':' || coalesce(p_id::text, ''))
$$;

-- As before, and now with the model of the run, the team's pattern and purposes, and what was said before in a conversation.
CREATE OR REPLACE FUNCTION journal_open(p_agent_run uuid, p_worker text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_row agent_runs;
  v_before agent_runs;
  v_run runs;
BEGIN
  SELECT * INTO v_before FROM agent_runs WHERE id = p_agent_run FOR NO KEY UPDATE;
  IF NOT FOUND OR is_terminal(v_before.status) THEN RETURN NULL; END IF;
  UPDATE agent_runs SET
      epoch = epoch + 1, unit = 0, worker_id = p_worker, open_steps = '[]',
      status = CASE WHEN status IN ('queued', 'interrupted') THEN 'running'::run_status ELSE status END,
      started_at = coalesce(started_at, now())
    WHERE id = p_agent_run RETURNING * INTO v_row;
  IF v_row.status IS DISTINCT FROM v_before.status THEN
    PERFORM append_events(
      json_build_array(json_build_object('r', v_row.run_id, 'a', v_row.id, 'kind', 'agent.status',
          'body', json_build_object('status', v_row.status, 'reason', NULL, 'at', iso(now())))),
      NULL);
    IF v_row.parent_id IS NULL THEN
      PERFORM append_events(
        json_build_array(json_build_object('r', v_row.run_id, 'kind', 'run.status',
            'body', json_build_object('status', 'running', 'reason', NULL, 'answer', NULL, 'at', iso(now())))),
        json_build_array(json_build_object('r', v_row.run_id, 'status', 'running')));
    END IF;
  END IF;
  SELECT * INTO v_run FROM runs WHERE id = v_row.run_id;
  RETURN json_build_object(
    'row', json_build_object('id', v_row.id, 'workspaceId', v_row.workspace_id, 'runId', v_row.run_id,
      'parentId', v_row.parent_id, 'handle', v_row.handle, 'name', v_row.name, 'depth', v_row.depth, 'task', v_row.task,
      'status', v_row.status, 'epoch', v_row.epoch, 'teamNodeId', v_row.team_node_id,
      'previousWorkerId', v_before.worker_id),
    'run', json_build_object('model', v_run.model, 'conversationId', v_run.conversation_id,
      'pattern', (SELECT pattern FROM team_versions WHERE id = v_run.team_version_id)),
    -- What was said before in this conversation, for the first message of a new run only.
    'history', CASE WHEN v_row.parent_id IS NULL AND v_run.conversation_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM messages WHERE agent_run_id = v_row.id)
      THEN (SELECT coalesce(json_agg(json_build_object('input', past.input, 'answer', past.answer)
          ORDER BY past.created_at, past.id), '[]')
        FROM (SELECT id, input, answer, created_at FROM runs
          WHERE workspace_id = v_run.workspace_id AND conversation_id = v_run.conversation_id AND answer IS NOT NULL
            AND (created_at, id) < (v_run.created_at, v_run.id)
          ORDER BY created_at DESC, id DESC LIMIT 20) past)
      ELSE '[]' END,
    'config', (SELECT config FROM agent_versions WHERE id = v_row.agent_version_id),
    'spawnable', (SELECT coalesce(json_agg(json_build_object('name', a.name, 'purpose', coalesce(n.purpose, av.config ->> 'purpose'),
        'nodeId', n.id, 'agentVersionId', av.id) ORDER BY n.position), '[]')
      FROM team_nodes n JOIN agent_versions av ON av.id = n.agent_version_id JOIN agents a ON a.id = av.agent_id
      WHERE n.parent_id = v_row.team_node_id),
    'messages', (SELECT coalesce(json_agg(json_build_object('index', index, 'content', content) ORDER BY index), '[]')
      FROM messages WHERE agent_run_id = v_row.id),
    'steps', (SELECT coalesce(json_agg(json_build_object('position', position, 'turn', turn, 'kind', kind,
        'status', status, 'callId', call_id, 'replyMessage', reply_message) ORDER BY position), '[]')
      FROM steps WHERE agent_run_id = v_row.id),
    'effects', (SELECT coalesce(json_agg(json_build_object('key', key, 'status', status)), '[]')
      FROM effects WHERE agent_run_id = v_row.id),
    'requests', (SELECT coalesce(json_agg(json_build_object('id', id, 'position', position, 'status', status,
        'createdAt', iso(created_at))), '[]')
      FROM human_requests WHERE agent_run_id = v_row.id));
END $$;
