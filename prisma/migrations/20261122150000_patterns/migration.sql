-- Whom an agent handed the task over to when it ended, and what it told: {agent, reason, told}. Read by journal_open() for those after it.
ALTER TABLE "agent_runs" ADD COLUMN "handoff" JSONB;

-- Agents that every supervisor of a team version may start beside those placed below it.
CREATE TABLE "team_allowed_agents" (
  "team_version_id" UUID NOT NULL,
  "agent_version_id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  CONSTRAINT "team_allowed_agents_pkey" PRIMARY KEY ("team_version_id", "agent_version_id")
);
CREATE INDEX "team_allowed_agents_agent_version_id_idx" ON "team_allowed_agents"("agent_version_id");
ALTER TABLE "team_allowed_agents" ADD CONSTRAINT "team_allowed_agents_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "team_allowed_agents" ADD CONSTRAINT "team_allowed_agents_workspace_id_team_version_id_fkey" FOREIGN KEY ("workspace_id", "team_version_id") REFERENCES "team_versions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "team_allowed_agents" ADD CONSTRAINT "team_allowed_agents_workspace_id_agent_version_id_fkey" FOREIGN KEY ("workspace_id", "agent_version_id") REFERENCES "agent_versions"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
