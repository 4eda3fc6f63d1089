-- How each tool of a server is called, where an owner says so: {tool: policy}, see server/tools/tool-policy.ts.
ALTER TABLE "tool_servers" ADD COLUMN "policies" JSONB NOT NULL DEFAULT '{}';

-- Of an effect: which calls count as the same (idempotency_entries.key), what that was made of, the key the far side was sent (null: the
-- effect's own), and the step this one repeats, where it was answered from there.
ALTER TABLE "effects"
  ADD COLUMN "call_key" VARCHAR(512),
  ADD COLUMN "strategy" TEXT,
  ADD COLUMN "sent_key" TEXT,
  ADD COLUMN "repeats_agent_run_id" UUID,
  ADD COLUMN "repeats_position" INTEGER;

-- Calls of tools whose owner says which of them are the same. What a call came to lies in its step; the entry says which step.
CREATE TABLE "idempotency_entries" (
    "workspace_id" UUID NOT NULL,
    "key" VARCHAR(512) NOT NULL,
    "tool" TEXT NOT NULL,
    -- in_flight: its owner may be making it | succeeded | failed
    "state" TEXT NOT NULL CHECK ("state" IN ('in_flight', 'succeeded', 'failed')),
    "run_id" UUID NOT NULL,
    "agent_run_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "sent_key" TEXT NOT NULL,
    -- An owner before this one may have made it, and nobody knows.
    "is_uncertain" BOOLEAN NOT NULL DEFAULT false,
    "ttl_seconds" INTEGER NOT NULL,
    "keeps_failures" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "idempotency_entries_pkey" PRIMARY KEY ("workspace_id", "key"),
    CONSTRAINT "idempotency_entries_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id")
      REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "idempotency_entries_expires_at_idx" ON "idempotency_entries"("expires_at");
CREATE INDEX "idempotency_entries_agent_run_id_idx" ON "idempotency_entries"("agent_run_id");

-- Makes a call's key its caller's, or says why not. {state: claimed, sent, uncertain}: make it, under that key; uncertain: somebody
-- may have made it already. {state: under_way, from}: another is at it. {state: succeeded | failed, from, at}: it was made, there.
-- The owner is an agent run at a position, so its next execution finds its own. One whose step is recorded, that has ended or was
-- interrupted, or that is held for longer than the entry lives, and left the entry in flight, never learned what became of it: the next caller takes it over, with the key that was sent.
-- p_again: a call that failed is made again although that was kept. Locks: the entry.
CREATE FUNCTION claim_call(p_workspace uuid, p_key text, p_tool text, p_run uuid, p_agent_run uuid, p_position int, p_sent text,
  p_ttl_seconds int, p_keeps_failures boolean, p_again boolean) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_entry idempotency_entries;
  v_from json;
  v_is_taken_over boolean := false;
BEGIN
  LOOP
    INSERT INTO idempotency_entries (workspace_id, key, tool, state, run_id, agent_run_id, position, sent_key, ttl_seconds,
        keeps_failures, expires_at)
      VALUES (p_workspace, p_key, p_tool, 'in_flight', p_run, p_agent_run, p_position, p_sent, p_ttl_seconds, p_keeps_failures,
        now() + make_interval(secs => p_ttl_seconds))
      ON CONFLICT (workspace_id, key) DO NOTHING;
    IF FOUND THEN RETURN json_build_object('state', 'claimed', 'sent', p_sent, 'uncertain', false); END IF;
    SELECT * INTO v_entry FROM idempotency_entries WHERE workspace_id = p_workspace AND key = p_key FOR UPDATE;
    -- Removed in between: begin anew.
    EXIT WHEN FOUND;
  END LOOP;
  v_from := json_build_object('runId', v_entry.run_id, 'agentRunId', v_entry.agent_run_id, 'position', v_entry.position);
  IF v_entry.state <> 'in_flight' THEN
    IF v_entry.expires_at > now() AND NOT (p_again AND v_entry.state = 'failed') THEN
      RETURN json_build_object('state', v_entry.state, 'from', v_from, 'at', iso(v_entry.expires_at
        - make_interval(secs => v_entry.ttl_seconds)));
    END IF;
  ELSIF v_entry.agent_run_id = p_agent_run AND v_entry.position = p_position THEN
    RETURN json_build_object('state', 'claimed', 'sent', v_entry.sent_key, 'uncertain', v_entry.is_uncertain);
  ELSIF EXISTS (SELECT FROM agent_runs WHERE id = v_entry.agent_run_id AND NOT is_terminal(status) AND status <> 'interrupted'
        AND (v_entry.expires_at > now() OR NOT is_held(status)))
      AND NOT EXISTS (SELECT FROM steps WHERE agent_run_id = v_entry.agent_run_id AND position = v_entry.position) THEN
    RETURN json_build_object('state', 'under_way', 'from', v_from);
  ELSE
    v_is_taken_over := v_entry.expires_at > now() AND (v_entry.is_uncertain OR EXISTS (
      SELECT FROM effects WHERE agent_run_id = v_entry.agent_run_id AND position = v_entry.position));
  END IF;
  UPDATE idempotency_entries SET state = 'in_flight', tool = p_tool, run_id = p_run, agent_run_id = p_agent_run, position = p_position,
      sent_key = CASE WHEN v_is_taken_over THEN sent_key ELSE p_sent END, is_uncertain = v_is_taken_over,
      ttl_seconds = p_ttl_seconds, keeps_failures = p_keeps_failures, created_at = now(),
      expires_at = now() + make_interval(secs => p_ttl_seconds)
    WHERE workspace_id = p_workspace AND key = p_key;
  RETURN json_build_object('state', 'claimed', 'sent', CASE WHEN v_is_taken_over THEN v_entry.sent_key ELSE p_sent END,
    'uncertain', v_is_taken_over);
END $$;

-- Settles the entries of effects that are settled, in the commit that records their steps; tells whoever waits. A failure is forgotten
-- unless it is to be kept; what nobody learned stays in flight for the next caller. Time to live counts from here.
CREATE FUNCTION settle_calls(p_effects json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM idempotency_entries e
    JOIN json_to_recordset(p_effects) AS f(w uuid, call text) ON e.workspace_id = f.w AND e.key = f.call
    ORDER BY e.workspace_id, e.key FOR UPDATE OF e;
  DELETE FROM idempotency_entries e USING json_to_recordset(p_effects) AS f(w uuid, a uuid, position int, call text, status text)
    WHERE e.workspace_id = f.w AND e.key = f.call AND e.agent_run_id = f.a AND e.position = f.position
      AND e.state = 'in_flight' AND f.status = 'failed' AND NOT e.keeps_failures;
  UPDATE idempotency_entries e SET state = CASE f.status WHEN 'applied' THEN 'succeeded' ELSE 'failed' END, is_uncertain = false,
      expires_at = now() + make_interval(secs => e.ttl_seconds)
    FROM json_to_recordset(p_effects) AS f(w uuid, a uuid, position int, call text, status text)
    WHERE e.workspace_id = f.w AND e.key = f.call AND e.agent_run_id = f.a AND e.position = f.position
      AND e.state = 'in_flight' AND f.status IN ('applied', 'failed');
  PERFORM pg_notify('troupe_work', 'called:' || split_part(f.call, ':', 2))
    FROM json_to_recordset(p_effects) AS f(call text, status text) WHERE f.call IS NOT NULL AND f.status <> 'intended';
END $$;

-- Removes entries whose time is over, a portion at a time. Reads ignore them before; one in flight stays while its owner may be at it.
CREATE FUNCTION purge_calls(p_most int) RETURNS int LANGUAGE sql AS $$
  WITH gone AS (
    SELECT e.workspace_id, e.key FROM idempotency_entries e WHERE e.expires_at <= now() AND (e.state <> 'in_flight'
      OR NOT EXISTS (SELECT FROM agent_runs ar WHERE ar.id = e.agent_run_id AND NOT is_terminal(ar.status) AND NOT is_held(ar.status)))
    ORDER BY e.expires_at LIMIT p_most FOR UPDATE OF e SKIP LOCKED),
  removed AS (DELETE FROM idempotency_entries e USING gone WHERE e.workspace_id = gone.workspace_id AND e.key = gone.key RETURNING 1)
  SELECT count(*)::int FROM removed
$$;
