-- Calls to addresses of a workspace's own when something happens, by type of event (AGT-EVT-08).
-- See docs/decisions/043-webhooks-are-queued-with-the-event.md.
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "url_sealed" TEXT NOT NULL,
    "secret_sealed" TEXT NOT NULL,
    "link_origin" TEXT NOT NULL,
    "events" TEXT[] NOT NULL,
    "with_content" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "webhooks_workspace_id_id_key" ON "webhooks"("workspace_id", "id");
CREATE UNIQUE INDEX "webhooks_workspace_id_name_key" ON "webhooks"("workspace_id", "name");
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_until" TIMESTAMPTZ(3),
    -- server/webhooks/constants.ts says the same.
    "give_up_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP + INTERVAL '3 days',
    "answered" INTEGER,
    "says" TEXT,
    "took_ms" INTEGER,
    "tried_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "webhook_deliveries_webhook_id_occurred_at_id_idx" ON "webhook_deliveries"("webhook_id", "occurred_at", "id");
CREATE INDEX "webhook_deliveries_run_id_idx" ON "webhook_deliveries"("run_id");
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("webhook_id", "next_try_at") WHERE "status" = 'waiting';
CREATE INDEX "webhook_deliveries_claimed_idx" ON "webhook_deliveries"("webhook_id") WHERE "claimed_until" IS NOT NULL;
CREATE INDEX "webhook_deliveries_late_idx" ON "webhook_deliveries"("give_up_at") WHERE "status" = 'waiting';
CREATE INDEX "webhook_deliveries_old_idx" ON "webhook_deliveries"("occurred_at") WHERE "status" <> 'waiting';
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "webhooks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
-- What is removed of a run goes with it: nothing is told of it any more.
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What an event is called to the outside; null: nobody outside is told. server/webhooks/schema.ts lists the same.
CREATE FUNCTION webhook_type(p_kind text, p_body jsonb) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE p_kind
    WHEN 'run.status' THEN CASE
      WHEN p_body ->> 'status' = 'queued' THEN 'run.created'
      WHEN p_body ->> 'status' IN ('completed', 'failed', 'aborted', 'paused', 'suspended', 'interrupted') THEN 'run.' || (p_body ->> 'status')
    END
    WHEN 'agent.status' THEN CASE
      WHEN p_body ->> 'status' IN ('completed', 'failed', 'aborted') THEN 'agent.' || (p_body ->> 'status')
    END
    WHEN 'agent.published' THEN 'agent.published'
    WHEN 'request.opened' THEN CASE WHEN p_body -> 'request' ->> 'status' = 'open' THEN 'request.opened' END
    WHEN 'request.passed_on' THEN 'request.opened'
    WHEN 'request.closed' THEN CASE
      WHEN p_body ->> 'status' IN ('answered', 'expired', 'withdrawn') THEN 'request.' || (p_body ->> 'status')
    END
    WHEN 'request.assigned' THEN CASE WHEN p_body ->> 'assignee' IS NOT NULL THEN 'request.assigned' END
  END
$$;

-- Queues a call for each event somebody outside wants to hear of, in the transaction that records it: one is there if and only if the other is.
-- The rows of webhooks are held: one that is just being removed is waited for, and then is none.
CREATE FUNCTION queue_webhooks(p_events json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_notified int;
BEGIN
  WITH told AS (
    SELECT runs.workspace_id, runs.id AS run_id, runs.last_seq - e.fewer AS seq, webhook_type(e.kind, e.body) AS type
    FROM (SELECT r, kind, body, row_number() OVER (PARTITION BY r ORDER BY x DESC) - 1 AS fewer
          FROM ROWS FROM (json_to_recordset(p_events) AS (r uuid, kind text, body jsonb)) WITH ORDINALITY AS t(r, kind, body, x)) e
    JOIN runs ON runs.id = e.r
  ), wanted AS (
    SELECT told.*, w.id AS webhook_id FROM told JOIN webhooks w ON w.workspace_id = told.workspace_id AND w.enabled AND told.type = ANY (w.events)
    FOR KEY SHARE OF w
  ), queued AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, run_id, seq, type)
      SELECT gen_random_uuid(), workspace_id, webhook_id, run_id, seq, type FROM wanted RETURNING webhook_id
  )
  SELECT count(pg_notify('troupe_work', 'webhook:' || webhook_id)) INTO v_notified FROM (SELECT DISTINCT webhook_id FROM queued) q;
END $$;

-- A fork is a copy, which nobody is told of again: that it was created is told by this, with its newest event.
CREATE FUNCTION tell_created(p_run uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_notified int;
BEGIN
  WITH wanted AS (
    SELECT r.workspace_id, r.id AS run_id, r.last_seq AS seq, w.id AS webhook_id
    FROM runs r JOIN webhooks w ON w.workspace_id = r.workspace_id AND w.enabled AND 'run.created' = ANY (w.events)
    WHERE r.id = p_run FOR KEY SHARE OF w
  ), queued AS (
    INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, run_id, seq, type)
      SELECT gen_random_uuid(), workspace_id, webhook_id, run_id, seq, 'run.created' FROM wanted RETURNING webhook_id
  )
  SELECT count(pg_notify('troupe_work', 'webhook:' || webhook_id)) INTO v_notified FROM queued;
END $$;

-- As before, and tells those outside who want to hear of it.
CREATE OR REPLACE FUNCTION append_events(p_events json, p_heads json DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_notified int;
  v_workspaces uuid[];
BEGIN
  PERFORM 1 FROM runs
    WHERE id IN (SELECT r FROM json_to_recordset(p_events) AS e(r uuid))
    ORDER BY id FOR NO KEY UPDATE;

  WITH counted AS (
    SELECT r, count(*)::int AS added,
           bool_or(kind LIKE 'request.%') AS request, bool_or(kind = 'run.status') AS moved
    FROM json_to_recordset(p_events) AS e(r uuid, kind text) GROUP BY r
  ), moved AS (
    UPDATE runs SET
      last_seq       = runs.last_seq + c.added,
      input_tokens   = runs.input_tokens   + coalesce(h.input, 0),
      output_tokens  = runs.output_tokens  + coalesce(h.output, 0),
      cost_nano_usd  = runs.cost_nano_usd  + coalesce(h.cost, 0),
      unpriced_calls = runs.unpriced_calls + coalesce(h.unpriced, 0),
      open_requests  = runs.open_requests  + coalesce(h.requests, 0),
      status         = coalesce(h.status, runs.status),
      status_reason  = CASE WHEN h.status IS NULL THEN runs.status_reason ELSE h.reason END,
      answer         = coalesce(h.answer, runs.answer),
      started_at     = CASE WHEN runs.started_at IS NULL AND h.status = 'running' THEN now() ELSE runs.started_at END,
      finished_at    = CASE WHEN is_terminal(h.status) THEN now() ELSE runs.finished_at END,
      active_ms      = runs.active_ms + CASE WHEN h.status <> 'running' AND runs.active_since IS NOT NULL
        THEN (extract(epoch FROM now() - runs.active_since) * 1000)::bigint ELSE 0 END,
      active_since   = CASE WHEN h.status IS NULL THEN runs.active_since
        WHEN h.status = 'running' THEN coalesce(runs.active_since, now()) END,
      held_at        = CASE WHEN h.status IS NULL THEN runs.held_at WHEN is_held(h.status) THEN coalesce(runs.held_at, now()) END,
      progress_at    = now()
    FROM counted c
    LEFT JOIN json_to_recordset(p_heads) AS h(r uuid, input bigint, output bigint, cost bigint, unpriced int,
      requests int, status run_status, reason text, answer text) ON h.r = c.r
    WHERE runs.id = c.r
    RETURNING runs.workspace_id, runs.id, runs.last_seq, c.request, c.moved
  )
  -- A hint, never the truth: workspace:run:seq:flags.
  SELECT count(pg_notify('troupe_run', workspace_id || ':' || id || ':' || last_seq || ':' ||
    CASE WHEN request THEN 'r' ELSE '' END || CASE WHEN moved.moved THEN 's' ELSE '' END)), array_agg(workspace_id)
    INTO v_notified, v_workspaces FROM moved;

  INSERT INTO events (run_id, seq, workspace_id, agent_run_id, kind, body)
    SELECT e.r, runs.last_seq - e.fewer, runs.workspace_id, e.a, e.kind, e.body
    FROM (SELECT r, a, kind, body, row_number() OVER (PARTITION BY r ORDER BY x DESC) - 1 AS fewer
          FROM ROWS FROM (json_to_recordset(p_events) AS (r uuid, a uuid, kind text, body jsonb))
            WITH ORDINALITY AS t(r, a, kind, body, x)) e
    JOIN runs ON runs.id = e.r;

  -- Most workspaces have none: then this is all they pay. Forks and seeds, which tell of what has been, say that nobody is told.
  IF EXISTS (SELECT FROM webhooks WHERE workspace_id = ANY (v_workspaces) AND enabled)
      AND current_setting('troupe.untold', true) IS DISTINCT FROM 'on' THEN
    PERFORM queue_webhooks(p_events);
  END IF;
END $$;
ALTER FUNCTION append_events(json, json) SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;
