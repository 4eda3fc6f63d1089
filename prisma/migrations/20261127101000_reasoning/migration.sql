-- What providers send of a model's reasoning (LLM-OBS-01). A table of its own: most calls have none, and who reads steps does not want it.
CREATE TABLE "reasonings" (
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" UUID NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "reasonings_pkey" PRIMARY KEY ("agent_run_id","position")
);
ALTER TABLE "reasonings" ADD CONSTRAINT "reasonings_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As before, and reasoning.
CREATE OR REPLACE FUNCTION journal_write_rest(p_rest json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agent_runs SET collected_at = now() WHERE id IN (SELECT id FROM json_to_recordset(p_rest -> 'collected') AS x(id uuid));
  UPDATE steers SET read_at = now() WHERE id IN (SELECT id FROM json_to_recordset(p_rest -> 'read') AS x(id uuid));
  UPDATE human_requests SET told_ids = told_ids || x.agents
    FROM (SELECT id, array_agg(a) AS agents FROM json_to_recordset(p_rest -> 'told') AS t(id uuid, a uuid) GROUP BY id) x
    WHERE human_requests.id = x.id;
  UPDATE agent_runs SET todo = x.todo FROM json_to_recordset(p_rest -> 'todos') AS x(a uuid, todo jsonb) WHERE id = x.a;
  UPDATE agent_runs SET compaction = x.compaction
    FROM json_to_recordset(p_rest -> 'compactions') AS x(a uuid, compaction jsonb) WHERE id = x.a;
  UPDATE agent_runs SET handoff = x.handoff FROM json_to_recordset(p_rest -> 'handoffs') AS x(a uuid, handoff jsonb) WHERE id = x.a;
  INSERT INTO tasks (agent_run_id, number, workspace_id, run_id, subject, description, status, blocked_by, agent, prompt, child_id,
      is_automatic, created_at, finished_at)
    SELECT a, number, w, r, subject, description, status, "blockedBy", agent, prompt, "childId", "isAutomatic", "createdAt", "finishedAt"
    FROM json_to_recordset(p_rest -> 'tasks') AS t(a uuid, number int, w uuid, r uuid, subject text, description text, status text,
      "blockedBy" jsonb, agent text, prompt text, "childId" uuid, "isAutomatic" boolean, "createdAt" timestamptz, "finishedAt" timestamptz)
    ON CONFLICT (agent_run_id, number) DO UPDATE SET status = excluded.status, blocked_by = excluded.blocked_by,
      child_id = excluded.child_id, is_automatic = excluded.is_automatic, finished_at = excluded.finished_at;
  INSERT INTO mails (id, workspace_id, run_id, from_id, to_id, kind, text, sent_at)
    SELECT id, w, r, "fromId", "toId", kind, text, "sentAt" FROM json_to_recordset(p_rest -> 'mails')
      AS m(id uuid, w uuid, r uuid, "fromId" uuid, "toId" uuid, kind text, text text, "sentAt" timestamptz)
    ON CONFLICT DO NOTHING;
  UPDATE mails SET read_at = now() WHERE id IN (SELECT id FROM json_to_recordset(p_rest -> 'inbox') AS x(id uuid));
  INSERT INTO dead_letters (id, workspace_id, run_id, agent_run_id, position, kind, operation, code, stable_code, category, message, arguments,
      call_key, repeats, at)
    SELECT id, w, r, a, position, kind, operation, code, "stableCode", category, message, arguments, "callKey", repeats, at
    FROM json_to_recordset(p_rest -> 'deadLetters') AS d(id uuid, w uuid, r uuid, a uuid, position int, kind text, operation text, code text,
      "stableCode" text, category text, message text, arguments text, "callKey" text, repeats text, at timestamptz)
    ON CONFLICT DO NOTHING;
  INSERT INTO retrievals (agent_run_id, position, workspace_id, passages)
    SELECT a, position, w, passages FROM json_to_recordset(p_rest -> 'retrievals') AS x(a uuid, position int, w uuid, passages jsonb);
  INSERT INTO reasonings (agent_run_id, position, workspace_id, text)
    SELECT a, position, w, text FROM json_to_recordset(p_rest -> 'reasonings') AS r(a uuid, position int, w uuid, text text);
END $$;
