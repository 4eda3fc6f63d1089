CREATE EXTENSION IF NOT EXISTS vector;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "run_status" AS ENUM ('queued', 'running', 'waiting', 'paused', 'suspended', 'interrupted', 'completed', 'failed', 'aborted');

-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('owner', 'editor', 'operator', 'viewer');

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "draft" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_versions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "config" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blobs" (
    "workspace_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("workspace_id","hash","part")
);

-- CreateTable
CREATE TABLE "decisions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "options_hash" TEXT,
    "chosen" JSONB NOT NULL,
    "reason" TEXT,
    "source" TEXT NOT NULL,
    "cost_so_far_nano_usd" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "decisions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "human_requests" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "decision_id" UUID,
    "kind" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "options" JSONB NOT NULL DEFAULT '[]',
    "schema" JSONB NOT NULL,
    "call" JSONB,
    "arguments_hash" TEXT,
    "assignee_id" UUID,
    "deadline_at" TIMESTAMPTZ(3),
    "default_answer" JSONB,
    "status" TEXT NOT NULL DEFAULT 'open',
    "answer" JSONB,
    "answered_by_id" UUID,
    "answered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "human_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "team_version_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "status" "run_status" NOT NULL DEFAULT 'queued',
    "status_reason" TEXT,
    "model" TEXT NOT NULL,
    "started_by_id" UUID,
    "answer" TEXT,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "open_requests" INTEGER NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "unpriced_calls" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "parent_id" UUID,
    "spawned_by_id" UUID,
    "handle" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "agent_version_id" UUID NOT NULL,
    "team_node_id" UUID NOT NULL,
    "executor" TEXT NOT NULL DEFAULT 'prompt',
    "depth" INTEGER NOT NULL,
    "task" TEXT NOT NULL,
    "status" "run_status" NOT NULL DEFAULT 'queued',
    "status_reason" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "result" TEXT,
    "collected_at" TIMESTAMPTZ(3),
    "open_steps" JSONB NOT NULL DEFAULT '[]',
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "steps" (
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "error" JSONB,
    "call_id" TEXT,
    "request_messages" INTEGER,
    "reply_message" INTEGER,
    "request_hash" TEXT,
    "input_bytes" INTEGER NOT NULL DEFAULT 0,
    "output_bytes" INTEGER NOT NULL DEFAULT 0,
    "epoch" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "steps_pkey" PRIMARY KEY ("agent_run_id","position")
);

-- CreateTable
CREATE TABLE "messages" (
    "agent_run_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "content" JSONB NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("agent_run_id","index")
);

-- CreateTable
CREATE TABLE "live_texts" (
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "live_texts_pkey" PRIMARY KEY ("agent_run_id","position")
);

-- CreateTable
CREATE TABLE "events" (
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "agent_run_id" UUID,
    "kind" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "usages" (
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL,
    "cost_nano_usd" BIGINT,

    CONSTRAINT "usages_pkey" PRIMARY KEY ("agent_run_id","position")
);

-- CreateTable
CREATE TABLE "effects" (
    "key" TEXT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "tool" TEXT NOT NULL,
    "arguments_hash" TEXT NOT NULL,
    "honours_key" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "intended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "effects_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(3),

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_versions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "team_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "pattern" TEXT NOT NULL DEFAULT 'coordinate',
    "limits" JSONB NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_nodes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "team_version_id" UUID NOT NULL,
    "parent_id" UUID,
    "agent_version_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "team_nodes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "pid" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "beat_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "agents_workspace_id_id_key" ON "agents"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_workspace_id_name_key" ON "agents"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "agent_versions_workspace_id_id_key" ON "agent_versions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_versions_agent_id_number_key" ON "agent_versions"("agent_id", "number");

-- CreateIndex
CREATE INDEX "decisions_run_id_idx" ON "decisions"("run_id");

-- CreateIndex
CREATE UNIQUE INDEX "decisions_workspace_id_id_key" ON "decisions"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "human_requests_workspace_id_status_created_at_idx" ON "human_requests"("workspace_id", "status", "created_at");

-- CreateIndex
CREATE INDEX "human_requests_run_id_idx" ON "human_requests"("run_id");

-- CreateIndex
CREATE INDEX "human_requests_agent_run_id_idx" ON "human_requests"("agent_run_id");

-- CreateIndex
CREATE INDEX "runs_workspace_id_created_at_id_idx" ON "runs"("workspace_id", "created_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "runs_workspace_id_id_key" ON "runs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "agent_runs_run_id_idx" ON "agent_runs"("run_id");

-- CreateIndex
CREATE INDEX "agent_runs_parent_id_idx" ON "agent_runs"("parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_runs_workspace_id_id_key" ON "agent_runs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "steps_run_id_idx" ON "steps"("run_id");

-- CreateIndex
CREATE INDEX "usages_run_id_idx" ON "usages"("run_id");

-- CreateIndex
CREATE INDEX "effects_agent_run_id_idx" ON "effects"("agent_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_workspace_id_id_key" ON "teams"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "teams_workspace_id_name_key" ON "teams"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "team_versions_workspace_id_id_key" ON "team_versions"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "team_versions_team_id_number_key" ON "team_versions"("team_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "team_nodes_workspace_id_id_key" ON "team_nodes"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "team_nodes_team_version_id_parent_id_position_key" ON "team_nodes"("team_version_id", "parent_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decisions" ADD CONSTRAINT "decisions_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_workspace_id_decision_id_fkey" FOREIGN KEY ("workspace_id", "decision_id") REFERENCES "decisions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_answered_by_id_fkey" FOREIGN KEY ("answered_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_workspace_id_team_version_id_fkey" FOREIGN KEY ("workspace_id", "team_version_id") REFERENCES "team_versions"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runs" ADD CONSTRAINT "runs_started_by_id_fkey" FOREIGN KEY ("started_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_spawned_by_id_fkey" FOREIGN KEY ("workspace_id", "spawned_by_id") REFERENCES "decisions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_agent_version_id_fkey" FOREIGN KEY ("workspace_id", "agent_version_id") REFERENCES "agent_versions"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_workspace_id_team_node_id_fkey" FOREIGN KEY ("workspace_id", "team_node_id") REFERENCES "team_nodes"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "steps" ADD CONSTRAINT "steps_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "live_texts" ADD CONSTRAINT "live_texts_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usages" ADD CONSTRAINT "usages_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "effects" ADD CONSTRAINT "effects_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_versions" ADD CONSTRAINT "team_versions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_versions" ADD CONSTRAINT "team_versions_workspace_id_team_id_fkey" FOREIGN KEY ("workspace_id", "team_id") REFERENCES "teams"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_nodes" ADD CONSTRAINT "team_nodes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_nodes" ADD CONSTRAINT "team_nodes_workspace_id_team_version_id_fkey" FOREIGN KEY ("workspace_id", "team_version_id") REFERENCES "team_versions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_nodes" ADD CONSTRAINT "team_nodes_workspace_id_agent_version_id_fkey" FOREIGN KEY ("workspace_id", "agent_version_id") REFERENCES "agent_versions"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "team_nodes" ADD CONSTRAINT "team_nodes_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "team_nodes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;


