-- Runs that can be paused, suspended, resumed and steered, and the limits of a run.

-- Which workflow carries an agent run on: a new one after each time it was held.
ALTER TABLE "agent_runs" ADD COLUMN "generation" INTEGER NOT NULL DEFAULT 0;
-- Executions since a step of it was last recorded.
ALTER TABLE "agent_runs" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;
-- When its newest execution began: one that is cut off again and again is taken up after longer and longer pauses.
ALTER TABLE "agent_runs" ADD COLUMN "opened_at" TIMESTAMPTZ(3);

-- Runs that wait for a worker with room.
CREATE INDEX "agent_runs_queued_idx" ON "agent_runs"("workspace_id", "created_at", "id") WHERE "status" = 'queued';

ALTER TABLE "runs" ADD COLUMN "limits" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "runs" ADD COLUMN "active_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "runs" ADD COLUMN "active_since" TIMESTAMPTZ(3);
ALTER TABLE "runs" ADD COLUMN "progress_at" TIMESTAMPTZ(3);
-- Shares of its limits that it may pass: a person was asked, and the answer was carried out. usd:<nano-USD of the limit>, tokens:<tokens>
ALTER TABLE "runs" ADD COLUMN "passed_shares" TEXT[] NOT NULL DEFAULT '{}';
-- Since when it is held: deadlines of what it asks stand still meanwhile.
ALTER TABLE "runs" ADD COLUMN "held_at" TIMESTAMPTZ(3);
-- What was used before this is not known; the clocks of runs in flight begin here.
UPDATE "runs" SET "active_since" = now(), "progress_at" = now() WHERE "status" = 'running';
-- Not by progress_at: a column that changes with each step would be indexed anew with each, and all other indexes with it.
CREATE INDEX "runs_running_idx" ON "runs"("id") WHERE "status" = 'running';
-- Both change with each step; with room on the page that touches no index.
ALTER TABLE "runs" SET (fillfactor = 50);
ALTER TABLE "agent_runs" SET (fillfactor = 50);
CREATE INDEX "human_requests_deadline_idx" ON "human_requests"("deadline_at") WHERE "status" = 'open';

-- How the engine leads a team of such a pattern.
ALTER TABLE "team_versions" ADD COLUMN "pattern_settings" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "workspaces" ADD COLUMN "runs_paused_at" TIMESTAMPTZ(3);
ALTER TABLE "workspaces" ADD COLUMN "runs_paused_by" TEXT;

CREATE TABLE "steers" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "agent_run_id" UUID NOT NULL,
  "author" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  -- Its todo list is thrown away when it reads this.
  "clears_todo" BOOLEAN NOT NULL DEFAULT false,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "read_at" TIMESTAMPTZ(3),
  CONSTRAINT "steers_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "steers_agent_run_id_idx" ON "steers"("agent_run_id");
ALTER TABLE "steers" ADD CONSTRAINT "steers_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Nobody executes it until somebody resumes it.
CREATE FUNCTION is_held(s run_status) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT s IN ('paused', 'suspended', 'interrupted') $$;

-- The beginning of a hash is enough to find what names a blob, and each turn writes less.
DROP INDEX "decisions_options_hash_idx";
DROP INDEX "steps_request_hash_idx";
CREATE INDEX "decisions_options_hash_idx" ON "decisions"(left("options_hash", 8)) WHERE "options_hash" IS NOT NULL;
CREATE INDEX "steps_request_hash_idx" ON "steps"(left("request_hash", 8)) WHERE "request_hash" IS NOT NULL;

-- Agent runs, steps and decisions are rows: their events only name them.
UPDATE "events" SET "body" = jsonb_build_object('agent', jsonb_build_object('id', "body" -> 'agent' -> 'id', 'createdAt', "body" -> 'agent' -> 'createdAt'))
  WHERE "kind" = 'agent.created';
UPDATE "events" SET "body" = jsonb_build_object('position', "body" -> 'step' -> 'position') WHERE "kind" = 'step.finished';
UPDATE "events" SET "body" = jsonb_build_object('id', "body" -> 'decision' -> 'id') WHERE "kind" = 'decision.made';

-- As before, and keeps the run's clocks: how long it was running, and when something last happened.
CREATE OR REPLACE FUNCTION append_events(p_events json, p_heads json DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_notified int;
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
    CASE WHEN request THEN 'r' ELSE '' END || CASE WHEN moved.moved THEN 's' ELSE '' END)) INTO v_notified FROM moved;

  INSERT INTO events (run_id, seq, workspace_id, agent_run_id, kind, body)
    SELECT e.r, runs.last_seq - e.fewer, runs.workspace_id, e.a, e.kind, e.body
    FROM (SELECT r, a, kind, body, row_number() OVER (PARTITION BY r ORDER BY x DESC) - 1 AS fewer
          FROM ROWS FROM (json_to_recordset(p_events) AS (r uuid, a uuid, kind text, body jsonb))
            WITH ORDINALITY AS t(r, a, kind, body, x)) e
    JOIN runs ON runs.id = e.r;
END $$;
ALTER FUNCTION append_events(json, json) SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;

-- Who paused everything in a workspace; null while nobody did, and then it is not paused before the transaction ends.
CREATE FUNCTION paused_by(p_workspace uuid) RETURNS text LANGUAGE sql AS
$$ SELECT CASE WHEN runs_paused_at IS NOT NULL THEN coalesce(runs_paused_by, 'Somebody') END FROM workspaces WHERE id = p_workspace FOR SHARE $$;

-- Stores a run with its root agent run, both queued, and tells the workers. p_run: columns of runs; p_agent: {id, handle, name, nodeId,
-- agentVersionId, view: the agent run as its event tells it}. In one statement, because each costs whoever waits for the run's start.
-- Returns who paused everything in the workspace, and stores nothing; else null.
CREATE FUNCTION store_run(p_run json, p_agent json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_run runs := json_populate_record(NULL::runs, p_run);
  v_root uuid := p_agent ->> 'id';
  v_paused_by text := paused_by(v_run.workspace_id);
  v_at text;
BEGIN
  IF v_paused_by IS NOT NULL THEN RETURN v_paused_by; END IF;
  INSERT INTO runs (id, workspace_id, team_id, team_version_id, agent_version_id, conversation_id, rerun_of_id, title, input, model,
      started_by_id, limits)
    VALUES (v_run.id, v_run.workspace_id, v_run.team_id, v_run.team_version_id, v_run.agent_version_id, v_run.conversation_id,
      v_run.rerun_of_id, v_run.title, v_run.input, v_run.model, v_run.started_by_id, v_run.limits);
  INSERT INTO agent_runs (id, workspace_id, run_id, handle, name, agent_version_id, team_node_id, depth, task)
    VALUES (v_root, v_run.workspace_id, v_run.id, p_agent ->> 'handle', p_agent ->> 'name', (p_agent ->> 'agentVersionId')::uuid,
      (p_agent ->> 'nodeId')::uuid, 0, v_run.input)
    RETURNING iso(created_at) INTO v_at;
  PERFORM append_events(json_build_array(
    json_build_object('r', v_run.id, 'kind', 'run.status',
      'body', json_build_object('status', 'queued', 'reason', NULL, 'answer', NULL, 'at', v_at)),
    json_build_object('r', v_run.id, 'a', v_root, 'kind', 'agent.created',
      'body', json_build_object('agent', json_build_object('id', v_root, 'createdAt', v_at)))), NULL);
  -- A hint; a worker's sweep finds the row without it.
  PERFORM pg_notify('troupe_work', 'queued:' || v_root);
  RETURN NULL;
END $$;

-- A decision taken outside an execution: by a person, or by a rule that looks at the run from outside. It belongs to the newest
-- step of its agent run unless it says which. {id, w, r, a, position?, ordinal, kind, chosen, reason, source, options: text, hash}
-- Locks: runs. A caller that also locks agent_runs must have done so before.
CREATE FUNCTION decide_outside(p_decision json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  d record;
  v_position int;
  v_at timestamptz := now();
BEGIN
  SELECT * INTO d FROM json_to_record(p_decision)
    AS x(id uuid, w uuid, r uuid, a uuid, position int, ordinal int, kind text, chosen jsonb, reason text, source text, options text, hash text);
  v_position := coalesce(d.position, (SELECT max(steps.position) FROM steps WHERE agent_run_id = d.a), 0);
  PERFORM append_events(json_build_array(json_build_object('r', d.r, 'a', d.a, 'kind', 'decision.made', 'body',
    json_build_object('id', d.id))), NULL);
  INSERT INTO blobs (workspace_id, hash, part, content) VALUES (d.w, d.hash, 0, d.options) ON CONFLICT DO NOTHING;
  INSERT INTO decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, options_hash, chosen, reason, source,
      cost_so_far_nano_usd, at)
    SELECT d.id, d.w, d.r, d.a, v_position, d.ordinal, d.kind, d.hash, d.chosen, d.reason, d.source, runs.cost_nano_usd, v_at
    FROM runs WHERE runs.id = d.r;
END $$;

-- Holds a run with every agent run in it that moves: nobody begins anything new in it, what is under way is still recorded.
-- p_status: paused or suspended. p_agent_run, p_epoch: only while that is still the newest execution of it, which saw the reason.
-- Returns the agent runs it held; none when nothing in it moved.
-- Locks: agent_runs, then runs.
CREATE FUNCTION hold_run(p_run uuid, p_status run_status, p_reason text, p_agent_run uuid DEFAULT NULL, p_epoch int DEFAULT NULL)
  RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[] := '{}';
  v_more uuid[];
  v_events json;
BEGIN
  -- One of them may be spawning right now, and holds its own row until its child is stored: look again once it is locked.
  LOOP
    SELECT array_agg(id) INTO v_more FROM (
      SELECT id FROM agent_runs
      WHERE run_id = p_run AND status IN ('queued', 'running', 'waiting') AND NOT (id = ANY (v_ids))
      ORDER BY id FOR NO KEY UPDATE) locked;
    EXIT WHEN v_more IS NULL;
    v_ids := v_ids || v_more;
  END LOOP;
  PERFORM 1 FROM runs WHERE id = p_run AND status IN ('queued', 'running', 'waiting') FOR NO KEY UPDATE;
  IF NOT FOUND OR v_ids = '{}' THEN RETURN '{}'; END IF;
  IF p_epoch IS NOT NULL AND NOT EXISTS (SELECT FROM agent_runs WHERE id = p_agent_run AND epoch = p_epoch) THEN RETURN '{}'; END IF;
  UPDATE agent_runs SET status = p_status, status_reason = p_reason WHERE id = ANY (v_ids);
  SELECT json_agg(event) INTO v_events FROM (
    SELECT json_build_object('r', p_run, 'a', id, 'kind', 'agent.status',
        'body', json_build_object('status', p_status, 'reason', p_reason, 'at', iso(now()))) AS event
      FROM unnest(v_ids) AS id
    UNION ALL
    SELECT json_build_object('r', p_run, 'kind', 'run.status',
        'body', json_build_object('status', p_status, 'reason', p_reason, 'answer', NULL, 'at', iso(now())))
  ) happened;
  PERFORM append_events(v_events, json_build_array(json_build_object('r', p_run, 'status', p_status, 'reason', p_reason)));
  PERFORM pg_notify('troupe_work', 'held:' || id) FROM unnest(v_ids) AS id;
  RETURN v_ids;
END $$;

-- Lets a held run go on where it was, each agent run in a new workflow. An interrupted child stays what it is: its parent was told
-- of its end. Deadlines of what it asks move by the time it was held. Returns the agent runs that go on; none when the run was not held.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION resume_run(p_run uuid) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[];
  v_open int;
  v_held_at timestamptz;
  v_events json;
  v_status run_status;
BEGIN
  SELECT array_agg(id) INTO v_ids FROM (
    SELECT id FROM agent_runs
    WHERE run_id = p_run AND (status IN ('paused', 'suspended') OR (status = 'interrupted' AND parent_id IS NULL))
    ORDER BY id FOR NO KEY UPDATE) locked;
  PERFORM 1 FROM human_requests WHERE run_id = p_run AND status = 'open' AND deadline_at IS NOT NULL ORDER BY id FOR UPDATE;
  SELECT open_requests, held_at INTO v_open, v_held_at FROM runs WHERE id = p_run AND is_held(status) FOR NO KEY UPDATE;
  IF NOT FOUND OR v_ids IS NULL THEN RETURN '{}'; END IF;
  v_status := CASE WHEN v_open > 0 THEN 'waiting' ELSE 'running' END;
  UPDATE agent_runs SET status = 'running', status_reason = NULL, generation = generation + 1, attempts = 0,
      worker_id = NULL, open_steps = '[]', started_at = coalesce(started_at, now())
    WHERE id = ANY (v_ids);
  UPDATE human_requests SET deadline_at = deadline_at + (now() - v_held_at)
    WHERE run_id = p_run AND status = 'open' AND deadline_at IS NOT NULL AND v_held_at IS NOT NULL;
  SELECT json_agg(event) INTO v_events FROM (
    SELECT json_build_object('r', p_run, 'a', id, 'kind', 'agent.status',
        'body', json_build_object('status', 'running', 'reason', NULL, 'at', iso(now()))) AS event
      FROM unnest(v_ids) AS id
    UNION ALL
    SELECT json_build_object('r', p_run, 'a', agent_run_id, 'kind', 'request.moved',
        'body', json_build_object('requestId', id, 'deadlineAt', iso(deadline_at)))
      FROM human_requests
      WHERE run_id = p_run AND status = 'open' AND deadline_at IS NOT NULL AND v_held_at IS NOT NULL
    UNION ALL
    SELECT json_build_object('r', p_run, 'kind', 'run.status',
        'body', json_build_object('status', v_status, 'reason', NULL, 'answer', NULL, 'at', iso(now())))
  ) happened;
  PERFORM append_events(v_events, json_build_array(json_build_object('r', p_run, 'status', v_status)));
  PERFORM pg_notify('troupe_work', 'queued:' || id || '.' || generation) FROM agent_runs WHERE id = ANY (v_ids);
  RETURN v_ids;
END $$;

-- Ends a run with everything in it, by a decision from outside. What was done stays. False when it had ended before, or has got on since
-- p_progress_at.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION end_run(p_run uuid, p_reason text, p_agent_reason text, p_decision json, p_progress_at timestamptz DEFAULT NULL)
  RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF p_progress_at IS NOT NULL THEN
    PERFORM 1 FROM agent_runs WHERE run_id = p_run ORDER BY id FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM runs WHERE id = p_run AND status = 'running' AND progress_at <= p_progress_at) THEN RETURN false; END IF;
  END IF;
  IF abort_agent_runs((SELECT array_agg(id) FROM agent_runs WHERE run_id = p_run AND parent_id IS NULL), p_agent_reason) = '{}' THEN
    RETURN false;
  END IF;
  PERFORM decide_outside(p_decision);
  PERFORM append_events(
    json_build_array(json_build_object('r', p_run, 'kind', 'run.status',
      'body', json_build_object('status', 'aborted', 'reason', p_reason, 'answer', NULL, 'at', iso(now())))),
    json_build_array(json_build_object('r', p_run, 'status', 'aborted', 'reason', p_reason)));
  RETURN true;
END $$;

-- Money is checked before it is spent: limits of a run, of an agent run with what works below it, and of a workspace's day.

-- One model call under a limit. reserved: under way. settled: answered, with what it really used. released: it failed before it could
-- cost anything. unconfirmed: cut off, or answered without saying what it used; counted at what was reserved.
CREATE TABLE "reservations" (
  "agent_run_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "epoch" INTEGER NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "cost_nano_usd" BIGINT NOT NULL,
  "tokens" BIGINT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'reserved',
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "reservations_pkey" PRIMARY KEY ("agent_run_id", "position", "epoch")
);
CREATE INDEX "reservations_open_run_idx" ON "reservations"("run_id") WHERE "status" IN ('reserved', 'unconfirmed');
CREATE INDEX "reservations_open_day_idx" ON "reservations"("workspace_id", "day") WHERE "status" IN ('reserved', 'unconfirmed');
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a workspace has spent on a day (UTC), kept from the first call that is reserved under a limit of the day.
CREATE TABLE "workspace_days" (
  "workspace_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "cost_nano_usd" BIGINT NOT NULL,
  "tokens" BIGINT NOT NULL,
  CONSTRAINT "workspace_days_pkey" PRIMARY KEY ("workspace_id", "day")
);
ALTER TABLE "workspace_days" ADD CONSTRAINT "workspace_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION utc_day() RETURNS date LANGUAGE sql STABLE PARALLEL SAFE AS $$ SELECT (now() AT TIME ZONE 'UTC')::date $$;

-- An agent run and those above it, each with its own limits.
CREATE FUNCTION agent_limits(p_agent_run uuid)
  RETURNS TABLE (id uuid, name text, max_cost bigint, max_tokens bigint) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT ar.id, ar.name, ar.parent_id, ar.agent_version_id FROM agent_runs ar WHERE ar.id = p_agent_run
    UNION ALL SELECT ar.id, ar.name, ar.parent_id, ar.agent_version_id FROM agent_runs ar JOIN up ON ar.id = up.parent_id
  )
  SELECT up.id, up.name, (v.config ->> 'maxCostNanoUsd')::bigint, (v.config ->> 'maxTokens')::bigint
  FROM up JOIN agent_versions v ON v.id = up.agent_version_id
  WHERE v.config ->> 'maxCostNanoUsd' IS NOT NULL OR v.config ->> 'maxTokens' IS NOT NULL
$$;

-- Whether any limit on spending holds for an agent run.
CREATE FUNCTION is_budgeted(p_agent_run uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT r.limits ->> 'maxCostNanoUsd' IS NOT NULL OR r.limits ->> 'maxTokens' IS NOT NULL
      OR w.limits ->> 'spendPerDayNanoUsd' IS NOT NULL OR w.limits ->> 'tokensPerDay' IS NOT NULL
      OR EXISTS (SELECT FROM agent_limits(p_agent_run))
  FROM agent_runs ar JOIN runs r ON r.id = ar.run_id JOIN workspaces w ON w.id = ar.workspace_id
  WHERE ar.id = p_agent_run
$$;

-- Reserves what a model call may cost at most, in every limit that holds for it or in none (LLM-ADV-15). Null: reserved. Else the first
-- limit it does not fit: {scope: run | agent | day | lost, unit: usd | tokens | price, limit, used, flying, agent}; `flying` calls
-- are under way in it and may leave more than they reserved. p_cost null: nobody said what the model costs. Scope share: it fits, but would
-- take the run past the share of its limit at which a person is asked; only where p_asks. p_passing: that share may be passed from now on.
-- Locks: agent_runs, then runs, then workspace_days.
CREATE FUNCTION reserve_call(p_agent_run uuid, p_epoch int, p_position int, p_cost bigint, p_tokens bigint,
    p_asks boolean DEFAULT false, p_passing text DEFAULT NULL)
  RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_agent agent_runs;
  v_run runs;
  v_limits jsonb;
  v_day date := utc_day();
  v_share float8;
  v_unit text;
  s record;
  v_asks json;
BEGIN
  SELECT * INTO v_agent FROM agent_runs
    WHERE id = p_agent_run AND epoch = p_epoch AND status IN ('running', 'waiting') FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN json_build_object('scope', 'lost'); END IF;
  SELECT * INTO v_run FROM runs WHERE id = v_agent.run_id FOR NO KEY UPDATE;
  -- The answer to an earlier attempt was lost.
  IF EXISTS (SELECT FROM reservations WHERE agent_run_id = p_agent_run AND position = p_position AND epoch = p_epoch
      AND status = 'reserved') THEN RETURN NULL; END IF;
  IF p_passing IS NOT NULL AND NOT p_passing = ANY (v_run.passed_shares) THEN
    UPDATE runs SET passed_shares = passed_shares || p_passing WHERE id = v_run.id RETURNING passed_shares INTO v_run.passed_shares;
  END IF;
  v_share := CASE WHEN p_asks THEN (v_run.limits ->> 'askAtRatio')::float8 END;
  SELECT limits INTO v_limits FROM workspaces WHERE id = v_agent.workspace_id;
  IF v_limits ->> 'spendPerDayNanoUsd' IS NOT NULL OR v_limits ->> 'tokensPerDay' IS NOT NULL THEN
    INSERT INTO workspace_days (workspace_id, day, cost_nano_usd, tokens)
      SELECT v_agent.workspace_id, v_day, spent.cost, spent.tokens FROM spent_on(v_agent.workspace_id, v_day) spent
      WHERE NOT EXISTS (SELECT FROM workspace_days WHERE workspace_id = v_agent.workspace_id AND day = v_day)
      ON CONFLICT DO NOTHING;
    PERFORM 1 FROM workspace_days WHERE workspace_id = v_agent.workspace_id AND day = v_day FOR NO KEY UPDATE;
  END IF;

  FOR s IN
    SELECT 'agent' AS scope, l.name, l.max_cost, l.max_tokens, below.cost, below.tokens, below.flying
      FROM agent_limits(p_agent_run) l CROSS JOIN LATERAL (
        WITH RECURSIVE tree AS (
          SELECT l.id UNION SELECT c.id FROM agent_runs c JOIN tree ON c.parent_id = tree.id
        )
        SELECT sum(ar.cost_nano_usd + coalesce(o.cost, 0)) AS cost, coalesce(sum(o.flying), 0) AS flying,
          sum(ar.input_tokens + ar.output_tokens + coalesce(o.tokens, 0)) AS tokens
        FROM tree JOIN agent_runs ar ON ar.id = tree.id
        LEFT JOIN LATERAL (
          SELECT sum(q.cost_nano_usd) AS cost, sum(q.tokens) AS tokens,
            count(*) FILTER (WHERE q.status = 'reserved' AND q.epoch = ar.epoch AND ar.status IN ('running', 'waiting')) AS flying
          FROM reservations q WHERE q.agent_run_id = ar.id AND q.status IN ('reserved', 'unconfirmed')
        ) o ON true
      ) below
    UNION ALL
    SELECT 'run', NULL, (v_run.limits ->> 'maxCostNanoUsd')::bigint, (v_run.limits ->> 'maxTokens')::bigint,
        v_run.cost_nano_usd + o.cost, v_run.input_tokens + v_run.output_tokens + o.tokens, o.flying
      FROM (SELECT coalesce(sum(q.cost_nano_usd), 0) AS cost, coalesce(sum(q.tokens), 0) AS tokens,
          count(*) FILTER (WHERE q.status = 'reserved' AND q.epoch = ar.epoch AND ar.status IN ('running', 'waiting')) AS flying
        FROM reservations q JOIN agent_runs ar ON ar.id = q.agent_run_id
        WHERE q.run_id = v_run.id AND q.status IN ('reserved', 'unconfirmed')) o
    UNION ALL
    SELECT 'day', NULL, (v_limits ->> 'spendPerDayNanoUsd')::bigint, (v_limits ->> 'tokensPerDay')::bigint,
        d.cost_nano_usd + o.cost, d.tokens + o.tokens, o.flying
      FROM workspace_days d CROSS JOIN LATERAL (
        SELECT coalesce(sum(q.cost_nano_usd), 0) AS cost, coalesce(sum(q.tokens), 0) AS tokens,
          count(*) FILTER (WHERE q.status = 'reserved' AND q.epoch = ar.epoch AND ar.status IN ('running', 'waiting')) AS flying
        FROM reservations q JOIN agent_runs ar ON ar.id = q.agent_run_id
        WHERE q.workspace_id = d.workspace_id AND q.day = d.day AND q.status IN ('reserved', 'unconfirmed')) o
      WHERE d.workspace_id = v_agent.workspace_id AND d.day = v_day
  LOOP
    CONTINUE WHEN s.max_cost IS NULL AND s.max_tokens IS NULL;
    IF s.max_cost IS NOT NULL AND (p_cost IS NULL OR s.cost + p_cost > s.max_cost) THEN
      RETURN json_build_object('scope', s.scope, 'unit', CASE WHEN p_cost IS NULL THEN 'price' ELSE 'usd' END,
        'limit', s.max_cost, 'used', s.cost, 'flying', s.flying, 'agent', s.name);
    END IF;
    IF s.max_tokens IS NOT NULL AND s.tokens + p_tokens > s.max_tokens THEN
      RETURN json_build_object('scope', s.scope, 'unit', 'tokens', 'limit', s.max_tokens, 'used', s.tokens,
        'flying', s.flying, 'agent', s.name);
    END IF;
    IF s.scope = 'run' AND v_share IS NOT NULL THEN
      v_unit := CASE
        WHEN s.cost + p_cost > s.max_cost * v_share AND NOT 'usd:' || s.max_cost = ANY (v_run.passed_shares) THEN 'usd'
        WHEN s.tokens + p_tokens > s.max_tokens * v_share AND NOT 'tokens:' || s.max_tokens = ANY (v_run.passed_shares) THEN 'tokens' END;
      v_asks := CASE WHEN v_unit IS NOT NULL THEN json_build_object('scope', 'share', 'unit', v_unit, 'flying', s.flying, 'agent', NULL,
        'limit', CASE v_unit WHEN 'usd' THEN s.max_cost ELSE s.max_tokens END,
        'used', CASE v_unit WHEN 'usd' THEN s.cost ELSE s.tokens END) END;
    END IF;
  END LOOP;
  IF v_asks IS NOT NULL THEN RETURN v_asks; END IF;
  INSERT INTO reservations (agent_run_id, position, epoch, workspace_id, run_id, day, cost_nano_usd, tokens)
    VALUES (p_agent_run, p_position, p_epoch, v_agent.workspace_id, v_agent.run_id, v_day, coalesce(p_cost, 0), p_tokens)
    ON CONFLICT (agent_run_id, position, epoch) DO UPDATE SET
      status = 'reserved', day = excluded.day, cost_nano_usd = excluded.cost_nano_usd, tokens = excluded.tokens
      WHERE reservations.status = 'released';
  RETURN NULL;
END $$;

-- Carries out that a person had a run suspended at a share of its limit: whoever resumes it lets it pass.
-- Locks: agent_runs, then runs.
CREATE FUNCTION suspend_at_share(p_run uuid, p_share text, p_reason text, p_agent_run uuid, p_epoch int) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  IF hold_run(p_run, 'suspended', p_reason, p_agent_run, p_epoch) <> '{}' THEN
    UPDATE runs SET passed_shares = passed_shares || p_share WHERE id = p_run;
  END IF;
END $$;

-- What answered calls of a day cost, run by run, so that the steps of days past are not read.
CREATE FUNCTION spent_on(p_workspace uuid, p_day date) RETURNS TABLE (cost bigint, tokens bigint) LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(spent.cost), 0)::bigint, coalesce(sum(spent.tokens), 0)::bigint
  FROM runs r CROSS JOIN LATERAL (
    SELECT sum(u.cost_nano_usd) AS cost, sum(u.input_tokens + u.output_tokens) AS tokens FROM steps s
    JOIN usages u ON u.agent_run_id = s.agent_run_id AND u.position = s.position
    WHERE s.run_id = r.id AND s.finished_at >= p_day::timestamp AT TIME ZONE 'UTC'
      AND s.finished_at < (p_day + 1)::timestamp AT TIME ZONE 'UTC'
  ) spent
  WHERE r.workspace_id = p_workspace AND (r.finished_at IS NULL OR r.finished_at >= p_day::timestamp AT TIME ZONE 'UTC')
$$;

-- What answered calls really used. [{a, position, input, output, cost, reserved}]
-- Locks: workspace_days, after runs.
CREATE FUNCTION settle_reservations(p_usages json) RETURNS void LANGUAGE sql AS $$
  WITH settled AS (
    UPDATE reservations q SET
        status = CASE WHEN u.input + u.output = 0 THEN 'unconfirmed' ELSE 'settled' END,
        cost_nano_usd = CASE WHEN u.input + u.output = 0 THEN q.cost_nano_usd ELSE coalesce(u.cost, 0) END,
        tokens = CASE WHEN u.input + u.output = 0 THEN q.tokens ELSE u.input + u.output END
      FROM json_to_recordset(p_usages) AS u(a uuid, position int, input int, output int, cost bigint, reserved boolean)
      WHERE u.reserved AND q.agent_run_id = u.a AND q.position = u.position AND q.status = 'reserved'
      RETURNING q.workspace_id, q.run_id, q.day, q.status, q.cost_nano_usd, q.tokens
  ), counted AS (
    UPDATE workspace_days d SET cost_nano_usd = d.cost_nano_usd + s.cost, tokens = d.tokens + s.tokens
      FROM (SELECT workspace_id, day, sum(cost_nano_usd) AS cost, sum(tokens) AS tokens FROM settled
        WHERE status = 'settled' GROUP BY workspace_id, day) s
      WHERE d.workspace_id = s.workspace_id AND d.day = s.day
  )
  SELECT pg_notify('troupe_work', 'settled:' || workspace_id) FROM settled GROUP BY workspace_id
$$;

-- A reserved call that gave no answer. p_status: released, or unconfirmed when it may have cost something.
CREATE FUNCTION release_call(p_agent_run uuid, p_epoch int, p_position int, p_status text) RETURNS void LANGUAGE sql AS $$
  WITH let_go AS (
    UPDATE reservations SET status = p_status
      WHERE agent_run_id = p_agent_run AND position = p_position AND epoch = p_epoch AND status = 'reserved' RETURNING workspace_id
  )
  SELECT pg_notify('troupe_work', 'settled:' || workspace_id) FROM let_go
$$;

-- Calls that were cut off with the executions of these agent runs: nobody knows what they cost.
CREATE FUNCTION cut_off_calls(p_agent_runs uuid[]) RETURNS void LANGUAGE sql AS $$
  WITH cut_off AS (
    UPDATE reservations SET status = 'unconfirmed' WHERE agent_run_id = ANY (p_agent_runs) AND status = 'reserved' RETURNING workspace_id
  )
  SELECT pg_notify('troupe_work', 'settled:' || workspace_id) FROM cut_off GROUP BY workspace_id
$$;

-- How many calls of a provider's models may be under way at once, over all workers; null: any number.
ALTER TABLE "providers" ADD COLUMN "most_calls" INTEGER;
-- One for each call under way of a provider that has such a limit.
CREATE TABLE "call_slots" (
  "id" TEXT NOT NULL,
  "provider_id" UUID NOT NULL,
  "worker_id" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "call_slots_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "call_slots_provider_id_idx" ON "call_slots"("provider_id");
ALTER TABLE "call_slots" ADD CONSTRAINT "call_slots_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Takes a slot for a call; false while all are taken. Those of workers that are gone are free. Locks: providers.
CREATE FUNCTION take_call_slot(p_provider uuid, p_worker text, p_id text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_most int;
BEGIN
  SELECT most_calls INTO v_most FROM providers WHERE id = p_provider FOR NO KEY UPDATE;
  -- Removed, or without a limit by now; or the answer to an earlier attempt was lost.
  IF v_most IS NULL OR EXISTS (SELECT FROM call_slots WHERE id = p_id) THEN RETURN true; END IF;
  -- No call takes an hour: one that old was not freed because the database was away.
  DELETE FROM call_slots s WHERE s.provider_id = p_provider
    AND (s.at < now() - interval '1 hour' OR NOT EXISTS (SELECT FROM workers w WHERE w.id = s.worker_id));
  IF (SELECT count(*) FROM call_slots WHERE provider_id = p_provider) >= v_most THEN RETURN false; END IF;
  INSERT INTO call_slots (id, provider_id, worker_id) VALUES (p_id, p_provider, p_worker);
  RETURN true;
END $$;

CREATE FUNCTION release_call_slot(p_id text) RETURNS void LANGUAGE sql AS $$
  WITH freed AS (DELETE FROM call_slots WHERE id = p_id RETURNING provider_id)
  SELECT pg_notify('troupe_work', 'slot:' || provider_id) FROM freed
$$;

-- What agents of a run keep among themselves: an agent's own checklist and what of its conversation was condensed, a supervisor's tasks,
-- letters, and questions that are asked of the agents above before a person.

-- {goal, items: [{id, text, done}], continues}; null: it has none.
ALTER TABLE "agent_runs" ADD COLUMN "todo" JSONB;
-- {summary, from}: its model is sent the system message, message `summary`, and messages from `from` on; null: all.
ALTER TABLE "agent_runs" ADD COLUMN "compaction" JSONB;
-- A request with the status 'escalated' is asked of the agents above until then; after that it is 'open', for people.
ALTER TABLE "human_requests" ADD COLUMN "escalated_until" TIMESTAMPTZ(3);
-- Agent runs above that were told of it.
ALTER TABLE "human_requests" ADD COLUMN "told_ids" UUID[] NOT NULL DEFAULT '{}';
ALTER TABLE "human_requests" ADD COLUMN "answered_by_agent_id" UUID;
ALTER TABLE "human_requests" ADD CONSTRAINT "human_requests_workspace_id_answered_by_agent_id_fkey" FOREIGN KEY ("workspace_id", "answered_by_agent_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "tasks" (
  "agent_run_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "subject" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "status" TEXT NOT NULL,
  "blocked_by" JSONB NOT NULL,
  "agent" TEXT,
  "prompt" TEXT,
  "child_id" UUID,
  "is_automatic" BOOLEAN NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),
  CONSTRAINT "tasks_pkey" PRIMARY KEY ("agent_run_id", "number")
);
CREATE INDEX "tasks_run_id_idx" ON "tasks"("run_id");
CREATE INDEX "tasks_child_id_idx" ON "tasks"("child_id");
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_agent_run_id_fkey" FOREIGN KEY ("workspace_id", "agent_run_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
-- Checked at the commit: a task is written before the child it starts.
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_child_id_fkey" FOREIGN KEY ("workspace_id", "child_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE "mails" (
  "id" UUID NOT NULL,
  "workspace_id" UUID NOT NULL,
  "run_id" UUID NOT NULL,
  "from_id" UUID NOT NULL,
  "to_id" UUID NOT NULL,
  "kind" TEXT NOT NULL,
  "text" TEXT NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL,
  "read_at" TIMESTAMPTZ(3),
  CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "mails_run_id_idx" ON "mails"("run_id");
CREATE INDEX "mails_from_id_idx" ON "mails"("from_id");
CREATE INDEX "mails_unread_idx" ON "mails"("to_id") WHERE "read_at" IS NULL;
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_from_id_fkey" FOREIGN KEY ("workspace_id", "from_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_to_id_fkey" FOREIGN KEY ("workspace_id", "to_id") REFERENCES "agent_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- As before, and withdraws what is asked of agents like what is asked of people. Tasks in progress of those that are ended end, too: as
-- completed where the agent at work on one is, else as failed.
CREATE OR REPLACE FUNCTION abort_agent_runs(p_ids uuid[], p_reason text) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[] := '{}';
  v_more uuid[];
  v_closed int;
  v_run uuid;
  v_goes_on boolean;
  v_tasks json;
  v_events json;
BEGIN
  -- One of them may be spawning right now, and holds its own row until its child is stored: look again once it is locked.
  LOOP
    WITH RECURSIVE tree AS (
      SELECT id FROM agent_runs WHERE id = ANY (p_ids)
      UNION SELECT c.id FROM agent_runs c JOIN tree ON c.parent_id = tree.id
    )
    SELECT array_agg(id) INTO v_more FROM (
      SELECT ar.id FROM agent_runs ar
      WHERE ar.id IN (SELECT id FROM tree) AND NOT is_terminal(ar.status) AND NOT (ar.id = ANY (v_ids))
      ORDER BY ar.id FOR NO KEY UPDATE) locked;
    EXIT WHEN v_more IS NULL;
    v_ids := v_ids || v_more;
  END LOOP;
  IF v_ids = '{}' THEN RETURN v_ids; END IF;
  SELECT run_id INTO v_run FROM agent_runs WHERE id = v_ids[1];

  -- An answer that arrives now waits, and then finds the question withdrawn.
  PERFORM 1 FROM human_requests WHERE agent_run_id = ANY (v_ids) AND status IN ('open', 'escalated') ORDER BY id FOR UPDATE;
  SELECT count(*) INTO v_closed FROM human_requests WHERE agent_run_id = ANY (v_ids) AND status = 'open';
  SELECT status = 'waiting' AND v_closed > 0 AND open_requests <= v_closed
      AND NOT EXISTS (SELECT 1 FROM agent_runs WHERE id = ANY (v_ids) AND parent_id IS NULL)
    INTO v_goes_on FROM runs WHERE id = v_run FOR NO KEY UPDATE;

  INSERT INTO steps (agent_run_id, position, workspace_id, run_id, turn, kind, name, status, epoch, started_at, finished_at)
    SELECT ar.id, s.position, ar.workspace_id, ar.run_id, s.turn, s.kind, s.name, 'aborted', ar.epoch, s."startedAt", now()
    FROM agent_runs ar, jsonb_to_recordset(ar.open_steps)
      AS s(position int, turn int, kind text, name text, "startedAt" timestamptz)
    WHERE ar.id = ANY (v_ids)
    ON CONFLICT DO NOTHING;

  WITH ended AS (
    UPDATE tasks t SET finished_at = now(), status = CASE WHEN EXISTS (
        SELECT FROM agent_runs c WHERE c.id = t.child_id AND c.status = 'completed') THEN 'completed' ELSE 'failed' END
      WHERE t.agent_run_id = ANY (v_ids) AND t.status = 'in_progress' RETURNING t.*
  )
  SELECT json_agg(json_build_object('r', run_id, 'a', agent_run_id, 'task', json_build_object('number', number, 'subject', subject,
      'description', description, 'status', status, 'blockedBy', blocked_by, 'agent', agent, 'prompt', prompt, 'childId', child_id,
      'isAutomatic', is_automatic, 'createdAt', iso(created_at), 'finishedAt', iso(finished_at), 'agentRunId', agent_run_id))
      ORDER BY agent_run_id, number)
    INTO v_tasks FROM ended;

  SELECT json_agg(json_build_object('r', run_id, 'a', a, 'kind', kind, 'body', body) ORDER BY rank, a) INTO v_events FROM (
    SELECT 1 AS rank, s.run_id, s.agent_run_id AS a, 'step.finished' AS kind, json_build_object('position', s.position) AS body
      FROM agent_runs ar, jsonb_to_recordset(ar.open_steps) AS o(position int)
      JOIN steps s ON s.position = o.position
      WHERE ar.id = ANY (v_ids) AND s.agent_run_id = ar.id AND s.status = 'aborted'
    UNION ALL
    SELECT 2, q.run_id, q.agent_run_id, 'request.closed', json_build_object('requestId', q.id, 'status', 'withdrawn',
        'answer', NULL, 'answeredBy', NULL, 'answeredByAgentId', NULL, 'at', iso(now()))
      FROM human_requests q WHERE q.agent_run_id = ANY (v_ids) AND q.status IN ('open', 'escalated')
    UNION ALL
    SELECT 2, r, a, 'task.changed', json_build_object('task', task)
      FROM json_to_recordset(v_tasks) AS x(r uuid, a uuid, task json)
    UNION ALL
    SELECT 3, ar.run_id, ar.id, 'agent.status', json_build_object('status', 'aborted', 'reason', p_reason, 'at', iso(now()))
      FROM agent_runs ar WHERE ar.id = ANY (v_ids)
    UNION ALL
    SELECT 4, v_run, NULL, 'run.status', json_build_object('status', 'running', 'reason', NULL, 'answer', NULL, 'at', iso(now()))
      WHERE v_goes_on
  ) happened;

  UPDATE human_requests SET status = 'withdrawn', answered_at = now()
    WHERE agent_run_id = ANY (v_ids) AND status IN ('open', 'escalated');
  UPDATE agent_runs SET status = 'aborted', status_reason = p_reason, epoch = epoch + 1, unit = 0, open_steps = '[]',
      finished_at = now()
    WHERE id = ANY (v_ids);
  DELETE FROM live_texts WHERE agent_run_id = ANY (v_ids);
  PERFORM cut_off_calls(v_ids);
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_run, 'requests', -v_closed,
    'status', CASE WHEN v_goes_on THEN 'running' END)));
  PERFORM pg_notify('troupe_work', 'aborted:' || id) FROM unnest(v_ids) AS id;
  RETURN v_ids;
END $$;

CREATE OR REPLACE FUNCTION interrupt_agent_run(p_id uuid, p_reason text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_row agent_runs;
  v_below uuid[];
  v_closed int;
  v_goes_on boolean;
  v_events json;
BEGIN
  PERFORM 1 FROM agent_runs WHERE id IN (
      WITH RECURSIVE tree AS (SELECT p_id AS id UNION SELECT c.id FROM agent_runs c JOIN tree ON c.parent_id = tree.id)
      SELECT id FROM tree) ORDER BY id FOR NO KEY UPDATE;
  SELECT * INTO v_row FROM agent_runs WHERE id = p_id AND status IN ('queued', 'running', 'waiting');
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT array_agg(id) INTO v_below FROM agent_runs WHERE parent_id = p_id AND NOT is_terminal(status);
  PERFORM 1 FROM human_requests WHERE agent_run_id = p_id AND status IN ('open', 'escalated') ORDER BY id FOR UPDATE;
  IF v_below IS NOT NULL THEN PERFORM abort_agent_runs(v_below, 'parent_interrupted'); END IF;

  SELECT count(*) INTO v_closed FROM human_requests WHERE agent_run_id = p_id AND status = 'open';
  SELECT status = 'waiting' AND v_closed > 0 AND open_requests <= v_closed AND v_row.parent_id IS NOT NULL
    INTO v_goes_on FROM runs WHERE id = v_row.run_id FOR NO KEY UPDATE;
  SELECT json_agg(json_build_object('r', v_row.run_id, 'a', a, 'kind', kind, 'body', body) ORDER BY rank) INTO v_events FROM (
    SELECT 1 AS rank, p_id AS a, 'request.closed' AS kind, json_build_object('requestId', id, 'status', 'withdrawn',
        'answer', NULL, 'answeredBy', NULL, 'answeredByAgentId', NULL, 'at', iso(now())) AS body
      FROM human_requests WHERE agent_run_id = p_id AND status IN ('open', 'escalated')
    UNION ALL
    SELECT 2, p_id, 'agent.status', json_build_object('status', 'interrupted', 'reason', p_reason, 'at', iso(now()))
    UNION ALL
    SELECT 3, NULL, 'run.status', json_build_object('status', CASE WHEN v_goes_on THEN 'running' ELSE 'interrupted' END,
        'reason', CASE WHEN NOT v_goes_on THEN p_reason END, 'answer', NULL, 'at', iso(now()))
      WHERE v_goes_on OR v_row.parent_id IS NULL
  ) happened;

  UPDATE human_requests SET status = 'withdrawn', answered_at = now()
    WHERE agent_run_id = p_id AND status IN ('open', 'escalated');
  UPDATE agent_runs SET status = 'interrupted', status_reason = p_reason, epoch = epoch + 1, unit = 0 WHERE id = p_id;
  DELETE FROM live_texts WHERE agent_run_id = p_id;
  PERFORM cut_off_calls(array[p_id]);
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_row.run_id, 'requests', -v_closed,
    'status', CASE WHEN v_row.parent_id IS NULL THEN 'interrupted' WHEN v_goes_on THEN 'running' END,
    'reason', CASE WHEN v_row.parent_id IS NULL THEN p_reason END)));
  PERFORM pg_notify('troupe_work', 'aborted:' || p_id);
  RETURN true;
END $$;

-- The agent runs above one: those its questions are asked of.
CREATE FUNCTION agents_above(p_agent_run uuid) RETURNS TABLE (id uuid, name text, depth int) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT ar.parent_id FROM agent_runs ar WHERE ar.id = p_agent_run
    UNION ALL SELECT ar.parent_id FROM agent_runs ar JOIN up ON ar.id = up.parent_id
  )
  SELECT ar.id, ar.name, ar.depth FROM up JOIN agent_runs ar ON ar.id = up.parent_id
$$;

-- Stores the answer an agent gives to a question of one below it, once: the row decides. p_epoch: only its newest execution may. Given
-- again by the same one, as after a crash, it has been given. Returns answered | gone (nobody below it asks this any more) | lost.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION answer_escalation(p_request uuid, p_agent_run uuid, p_epoch int, p_answer json, p_decision json)
  RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_name text;
  v_request human_requests;
BEGIN
  SELECT name INTO v_name FROM agent_runs
    WHERE id = p_agent_run AND epoch = p_epoch AND NOT is_terminal(status) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  SELECT * INTO v_request FROM human_requests WHERE id = p_request FOR UPDATE;
  IF v_request.status = 'answered' AND v_request.answered_by_agent_id = p_agent_run AND v_request.answer = p_answer::jsonb THEN
    RETURN 'answered';
  END IF;
  IF v_request.status IS DISTINCT FROM 'escalated'
      OR NOT EXISTS (SELECT FROM agents_above(v_request.agent_run_id) above WHERE above.id = p_agent_run) THEN
    RETURN 'gone';
  END IF;
  UPDATE human_requests SET status = 'answered', answer = p_answer, answered_by_agent_id = p_agent_run, answered_at = now()
    WHERE id = p_request;
  PERFORM append_events(json_build_array(json_build_object('r', v_request.run_id, 'a', v_request.agent_run_id,
    'kind', 'request.closed', 'body', json_build_object('requestId', p_request, 'status', 'answered', 'answer', p_answer,
      'answeredBy', v_name, 'answeredByAgentId', p_agent_run, 'at', iso(now())))));
  PERFORM decide_outside(p_decision);
  PERFORM pg_notify('troupe_work', 'answered:' || p_request);
  RETURN 'answered';
END $$;

-- Asks people what the agents above did not answer. Called by whoever asked, when its time is over, or by one above, which leaves it to
-- people; p_epoch as above. Its deadline, if the agent that asked has one, begins here, or when a held run goes on.
-- Returns passed_on | gone (it is asked of no agent any more) | lost.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION pass_on_request(p_request uuid, p_agent_run uuid, p_epoch int, p_decision json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_request human_requests;
  v_waits boolean;
  v_from timestamptz;
  v_events json;
BEGIN
  PERFORM 1 FROM agent_runs WHERE id = p_agent_run AND epoch = p_epoch AND NOT is_terminal(status) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'lost'; END IF;
  UPDATE human_requests q SET status = 'open', escalated_until = NULL
    WHERE q.id = p_request AND q.status = 'escalated' AND (q.agent_run_id = p_agent_run
      OR EXISTS (SELECT FROM agents_above(q.agent_run_id) above WHERE above.id = p_agent_run))
    RETURNING * INTO v_request;
  IF NOT FOUND THEN RETURN 'gone'; END IF;
  SELECT status = 'running', coalesce(held_at, now()) INTO v_waits, v_from FROM runs WHERE id = v_request.run_id FOR NO KEY UPDATE;
  UPDATE human_requests q SET deadline_at = v_from + make_interval(secs => (v.config ->> 'questionTimeoutMs')::bigint / 1000.0)
    FROM agent_runs ar JOIN agent_versions v ON v.id = ar.agent_version_id
    WHERE q.id = p_request AND ar.id = q.agent_run_id
    RETURNING q.* INTO v_request;
  SELECT json_agg(event) INTO v_events FROM (
    SELECT json_build_object('r', v_request.run_id, 'a', v_request.agent_run_id, 'kind', 'request.passed_on',
      'body', json_build_object('requestId', p_request, 'deadlineAt', iso(v_request.deadline_at), 'at', iso(now()))) AS event
    UNION ALL
    SELECT json_build_object('r', v_request.run_id, 'kind', 'run.status',
        'body', json_build_object('status', 'waiting', 'reason', NULL, 'answer', NULL, 'at', iso(now())))
      WHERE v_waits
  ) happened;
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_request.run_id, 'requests', 1,
    'status', CASE WHEN v_waits THEN 'waiting' END)));
  PERFORM decide_outside(p_decision);
  PERFORM pg_notify('troupe_work', 'answered:' || p_request);
  RETURN 'passed_on';
END $$;

-- Closes a request that people let pass its deadline, with the decision that says so. False when somebody was first, there is time
-- left, or its run is held.
-- Locks: human_requests, then runs.
CREATE FUNCTION expire_request(p_request uuid, p_decision json) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_request human_requests;
  v_goes_on boolean;
  v_events json;
BEGIN
  SELECT * INTO v_request FROM human_requests WHERE id = p_request AND status = 'open' AND deadline_at <= now() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT status = 'waiting' AND open_requests <= 1 INTO v_goes_on FROM runs
    WHERE id = v_request.run_id AND NOT is_held(status) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE human_requests SET status = 'expired', answered_at = now() WHERE id = p_request;
  SELECT json_agg(event) INTO v_events FROM (
    SELECT json_build_object('r', v_request.run_id, 'a', v_request.agent_run_id, 'kind', 'request.closed', 'body',
      json_build_object('requestId', p_request, 'status', 'expired', 'answer', NULL, 'answeredBy', NULL,
        'answeredByAgentId', NULL, 'at', iso(now()))) AS event
    UNION ALL
    SELECT json_build_object('r', v_request.run_id, 'kind', 'run.status',
        'body', json_build_object('status', 'running', 'reason', NULL, 'answer', NULL, 'at', iso(now())))
      WHERE v_goes_on
  ) happened;
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_request.run_id, 'requests', -1,
    'status', CASE WHEN v_goes_on THEN 'running' END)));
  PERFORM decide_outside(p_decision);
  PERFORM pg_notify('troupe_work', 'answered:' || p_request);
  RETURN true;
END $$;

-- What few units bring along: {collected: [{id}], read: [{id}], told: [{id, a}], todos: [{a, todo}], compactions: [{a, compaction}],
-- handoffs: [{a, handoff}], tasks: [row], mails: [row], inbox: [{id}]}.
CREATE FUNCTION journal_write_rest(p_rest json) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

-- As before, with two more fences. An owner {…, m: moves} of an agent run that is held may record what was under way, but nothing
-- that moves it on (its status, children, questions, intents): that is refused as 'stays'. One that ends with an answer {…, f: finishes}
-- while somebody said something it has not read is refused as 'steered'. Of what was written for held ones the caller is told 'held'.
-- It settles what was reserved for the calls it records.
DROP FUNCTION journal_write(json, json, json, json, json, json, json, json, json, json, json, json, json);
CREATE FUNCTION journal_write(
  p_owners json, p_blobs json, p_decisions json, p_children json, p_steps json, p_messages json, p_usages json,
  p_effects json, p_requests json, p_agents json, p_aborts json, p_events json, p_heads json, p_rest json DEFAULT NULL
) RETURNS TABLE (agent_run uuid, refused text) LANGUAGE plpgsql AS $$
DECLARE
  v_may uuid[];
  v_held uuid[];
  v_words json;
BEGIN
  SELECT coalesce(array_agg(id) FILTER (WHERE word IS NULL), '{}'), array_agg(id) FILTER (WHERE held),
      json_object_agg(id, word) FILTER (WHERE word IS NOT NULL)
    INTO v_may, v_held, v_words FROM (
    SELECT ar.id, is_held(ar.status) AS held,
      CASE WHEN o.m AND is_held(ar.status) THEN 'stays'
        WHEN o.f AND EXISTS (SELECT FROM steers WHERE agent_run_id = ar.id AND read_at IS NULL) THEN 'steered' END AS word
    FROM json_to_recordset(p_owners) AS o(a uuid, e int, u int, m boolean, f boolean)
    JOIN agent_runs ar ON ar.id = o.a AND ar.epoch = o.e AND ar.unit < o.u AND NOT is_terminal(ar.status)
    ORDER BY ar.id FOR NO KEY UPDATE OF ar) locked;
  IF array_length(v_may, 1) IS DISTINCT FROM json_array_length(p_owners) THEN
    RETURN QUERY
      SELECT o.a, coalesce(v_words ->> o.a::text, CASE WHEN ar.epoch = o.e AND ar.unit >= o.u THEN 'applied' ELSE 'lost' END)
      FROM json_to_recordset(p_owners) AS o(a uuid, e int, u int)
      LEFT JOIN agent_runs ar ON ar.id = o.a
      WHERE NOT (o.a = ANY (v_may));
    RETURN;
  END IF;

  IF p_blobs IS NOT NULL THEN
    INSERT INTO blobs (workspace_id, hash, part, content)
      SELECT w, hash, part, content FROM json_to_recordset(p_blobs) AS b(w uuid, hash text, part int, content text)
      ON CONFLICT DO NOTHING;
  END IF;
  IF p_steps IS NOT NULL THEN
    INSERT INTO steps (agent_run_id, position, workspace_id, run_id, turn, kind, name, status, error, call_id,
        request_messages, reply_message, request_hash, input_bytes, output_bytes, epoch, started_at, finished_at)
      SELECT a, position, w, r, turn, kind, name, status, error, call, sent, reply, request, inb, outb, e, t0, t1
      FROM json_to_recordset(p_steps) AS s(a uuid, position int, w uuid, r uuid, turn int, kind text, name text,
        status text, error jsonb, call text, sent int, reply int, request text, inb int, outb int, e int,
        t0 timestamptz, t1 timestamptz);
    DELETE FROM live_texts l USING json_to_recordset(p_steps) AS s(a uuid, position int, streamed boolean)
      WHERE s.streamed AND l.agent_run_id = s.a AND l.position = s.position;
  END IF;
  IF p_messages IS NOT NULL THEN
    INSERT INTO messages (agent_run_id, index, workspace_id, role, content)
      SELECT a, index, w, role, content
      FROM json_to_recordset(p_messages) AS m(a uuid, index int, w uuid, role text, content jsonb);
  END IF;
  IF p_usages IS NOT NULL THEN
    INSERT INTO usages (agent_run_id, position, workspace_id, run_id, provider, model, input_tokens, cached_tokens,
        output_tokens, cost_nano_usd)
      SELECT a, position, w, r, provider, model, input, cached, output, cost
      FROM json_to_recordset(p_usages) AS u(a uuid, position int, w uuid, r uuid, provider text, model text, input int,
        cached int, output int, cost bigint);
  END IF;
  IF p_effects IS NOT NULL THEN
    INSERT INTO effects (key, workspace_id, run_id, agent_run_id, position, tool, arguments_hash, honours_key, status,
        epoch, settled_at, call_key, strategy, sent_key, repeats_agent_run_id, repeats_position)
      SELECT key, w, r, a, position, tool, args, honours, status, e, CASE WHEN status <> 'intended' THEN now() END, call,
        strategy, sent, "repeatsAgent", "repeatsAt"
      FROM json_to_recordset(p_effects) AS f(key text, w uuid, r uuid, a uuid, position int, tool text, args text,
        honours boolean, status text, e int, call text, strategy text, sent text, "repeatsAgent" uuid, "repeatsAt" int)
      ON CONFLICT (key) DO UPDATE SET status = excluded.status, epoch = excluded.epoch, settled_at = excluded.settled_at;
    -- In the commit of the outcome, so that nobody repeats what was recorded.
    IF p_effects::text LIKE '%"call":%' THEN PERFORM settle_calls(p_effects); END IF;
  END IF;
  IF p_aborts IS NOT NULL THEN
    PERFORM abort_agent_runs(array_agg(t.id), t.reason)
      FROM json_to_recordset(p_aborts) AS t(id uuid, reason text) GROUP BY t.reason;
  END IF;

  UPDATE agent_runs ar SET
    unit          = o.u,
    attempts      = CASE WHEN x.recorded OR x.status = 'waiting' THEN 0 ELSE ar.attempts END,
    status        = coalesce(x.status, ar.status),
    status_reason = CASE WHEN x.status IS NULL THEN ar.status_reason ELSE x.reason END,
    open_steps    = coalesce(x.open, ar.open_steps),
    input_tokens  = ar.input_tokens  + coalesce(x.input, 0),
    output_tokens = ar.output_tokens + coalesce(x.output, 0),
    cost_nano_usd = ar.cost_nano_usd + coalesce(x.cost, 0),
    result        = coalesce(x.result, ar.result),
    finished_at   = CASE WHEN is_terminal(x.status) THEN now() ELSE ar.finished_at END
  FROM json_to_recordset(p_owners) AS o(a uuid, u int)
  LEFT JOIN json_to_recordset(p_agents) AS x(a uuid, status run_status, reason text, open jsonb, input bigint,
    output bigint, cost bigint, result text, recorded boolean) ON x.a = o.a
  WHERE ar.id = o.a;
  IF p_agents IS NOT NULL THEN
    PERFORM pg_notify('troupe_work', 'ended:' || x.a)
      FROM json_to_recordset(p_agents) AS x(a uuid, status run_status) WHERE is_terminal(x.status);
  END IF;
  IF p_rest IS NOT NULL THEN PERFORM journal_write_rest(p_rest); END IF;
  IF p_events IS NOT NULL THEN PERFORM append_events(p_events, p_heads); END IF;
  -- In the commit that counts the call as spent, so that it is never counted twice.
  IF p_usages::text LIKE '%"reserved":true%' THEN PERFORM settle_reservations(p_usages); END IF;
  -- Decisions when the head row has the run's cost, this commit's calls and those of other agents included.
  IF p_decisions IS NOT NULL THEN
    INSERT INTO decisions (id, workspace_id, run_id, agent_run_id, position, ordinal, kind, options_hash, chosen, reason,
        source, cost_so_far_nano_usd, at)
      SELECT d.id, w, r, a, position, ordinal, kind, options, chosen, reason, source, runs.cost_nano_usd, at
      FROM json_to_recordset(p_decisions) AS d(id uuid, w uuid, r uuid, a uuid, position int, ordinal int, kind text,
        options text, chosen jsonb, reason text, source text, at timestamptz)
      JOIN runs ON runs.id = d.r;
  END IF;
  -- What refers to decisions.
  IF p_children IS NOT NULL THEN
    INSERT INTO agent_runs (id, workspace_id, run_id, parent_id, spawned_by_id, handle, name, agent_version_id,
        team_node_id, depth, task)
      SELECT id, w, r, a, decision, handle, name, version, node, depth, task
      FROM json_to_recordset(p_children) AS c(id uuid, w uuid, r uuid, a uuid, decision uuid, handle text, name text,
        version uuid, node uuid, depth int, task text)
      ON CONFLICT (id) DO NOTHING;
  END IF;
  IF p_requests IS NOT NULL THEN
    INSERT INTO human_requests (id, workspace_id, run_id, agent_run_id, position, decision_id, kind, prompt, options,
        schema, call, arguments_hash, status, escalated_until, deadline_at)
      SELECT id, w, r, a, position, decision, kind, prompt, options, schema, call, args,
        CASE WHEN until IS NULL THEN 'open' ELSE 'escalated' END, until, deadline
      FROM json_to_recordset(p_requests) AS q(id uuid, w uuid, r uuid, a uuid, position int, decision uuid, kind text,
        prompt text, options jsonb, schema jsonb, call jsonb, args text, until timestamptz, deadline timestamptz);
    PERFORM pg_notify('troupe_work', 'escalated:' || above.id)
      FROM json_to_recordset(p_requests) AS q(a uuid, until timestamptz), agents_above(q.a) above WHERE q.until IS NOT NULL;
  END IF;
  -- Written, and no further: what was under way when it was held has been recorded.
  IF v_held IS NOT NULL THEN RETURN QUERY SELECT unnest(v_held), 'held'; END IF;
END $$;
ALTER FUNCTION journal_write(json, json, json, json, json, json, json, json, json, json, json, json, json, json)
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;

-- As before; what is held is not opened, nor what goes on in another workflow. Steps that were open stay so until they are begun anew, or
-- are recorded as aborted when it is ended before. What people said to the agent meanwhile comes along, and
-- whether a limit on spending holds.
DROP FUNCTION journal_open(uuid, text);
CREATE FUNCTION journal_open(p_agent_run uuid, p_worker text, p_generation int DEFAULT 0) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_row agent_runs;
  v_before agent_runs;
  v_run runs;
  v_pattern text;
  v_hands_over boolean;
BEGIN
  SELECT * INTO v_before FROM agent_runs WHERE id = p_agent_run FOR NO KEY UPDATE;
  IF NOT FOUND OR is_terminal(v_before.status) OR is_held(v_before.status) OR v_before.generation <> p_generation THEN RETURN NULL; END IF;
  UPDATE agent_runs SET
      epoch = epoch + 1, unit = 0, attempts = attempts + 1, opened_at = now(), worker_id = p_worker,
      status = CASE WHEN status = 'queued' THEN 'running'::run_status ELSE status END,
      started_at = coalesce(started_at, now())
    WHERE id = p_agent_run RETURNING * INTO v_row;
  PERFORM cut_off_calls(array[p_agent_run]);
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
  SELECT pattern INTO v_pattern FROM team_versions WHERE id = v_run.team_version_id;
  v_hands_over := v_pattern = 'handoff' AND v_row.depth = 1;
  RETURN json_build_object(
    'row', json_build_object('id', v_row.id, 'workspaceId', v_row.workspace_id, 'runId', v_row.run_id,
      'parentId', v_row.parent_id, 'handle', v_row.handle, 'name', v_row.name, 'depth', v_row.depth, 'task', v_row.task,
      'status', v_row.status, 'epoch', v_row.epoch, 'teamNodeId', v_row.team_node_id,
      'previousWorkerId', v_before.worker_id),
    'run', json_build_object('model', v_run.model, 'conversationId', v_run.conversation_id, 'overrides', v_run.overrides,
      'pattern', v_pattern,
      'patternSettings', coalesce((SELECT pattern_settings FROM team_versions WHERE id = v_run.team_version_id), '{}')),
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
    'budgeted', is_budgeted(v_row.id),
    'config', (SELECT config FROM agent_versions WHERE id = v_row.agent_version_id),
    -- Those placed below it; and for a supervisor of the team, who else its supervisors may start, unless it is placed below it already or
    -- would work under itself.
    'spawnable', (SELECT coalesce(json_agg(json_build_object('name', name, 'purpose', purpose, 'nodeId', node, 'agentVersionId', version)
        ORDER BY rank, position), '[]') FROM (
      SELECT 1 AS rank, n.position, a.name, coalesce(n.purpose, av.config ->> 'purpose') AS purpose, n.id AS node, av.id AS version
      FROM team_nodes n JOIN agent_versions av ON av.id = n.agent_version_id JOIN agents a ON a.id = av.agent_id
      WHERE n.parent_id = v_row.team_node_id
      UNION ALL
      SELECT 2, allowed.position, a.name, av.config ->> 'purpose', NULL, av.id
      FROM team_allowed_agents allowed JOIN agent_versions av ON av.id = allowed.agent_version_id JOIN agents a ON a.id = av.agent_id
      WHERE allowed.team_version_id = v_run.team_version_id AND v_row.team_node_id IS NOT NULL
        AND (v_row.parent_id IS NULL OR EXISTS (SELECT FROM team_nodes WHERE parent_id = v_row.team_node_id))
        AND av.agent_id NOT IN (
          WITH RECURSIVE up AS (
            SELECT id, parent_id, agent_version_id FROM team_nodes WHERE id = v_row.team_node_id
            UNION ALL SELECT n.id, n.parent_id, n.agent_version_id FROM team_nodes n JOIN up ON n.id = up.parent_id)
          SELECT other.agent_id FROM (
            SELECT agent_version_id FROM up UNION SELECT agent_version_id FROM team_nodes WHERE parent_id = v_row.team_node_id) near
          JOIN agent_versions other ON other.id = near.agent_version_id)) below),
    -- Whom it may hand the task over to, and the handoffs before it: only right below the root of such a team.
    'colleagues', CASE WHEN v_hands_over THEN (
        SELECT coalesce(json_agg(json_build_object('name', a.name, 'purpose', coalesce(n.purpose, av.config ->> 'purpose'))
          ORDER BY n.position), '[]')
        FROM team_nodes me JOIN team_nodes n ON n.parent_id = me.parent_id AND n.id <> me.id
        JOIN agent_versions av ON av.id = n.agent_version_id JOIN agents a ON a.id = av.agent_id
        WHERE me.id = v_row.team_node_id)
      ELSE '[]' END,
    'handoffs', CASE WHEN v_hands_over THEN (
        SELECT coalesce(json_agg(json_build_object('from', name, 'to', handoff ->> 'agent', 'told', handoff ->> 'told')
          ORDER BY created_at, id), '[]')
        FROM agent_runs WHERE parent_id = v_row.parent_id AND handoff IS NOT NULL)
      ELSE '[]' END,
    'todo', v_row.todo,
    'compaction', v_row.compaction,
    'tasks', (SELECT coalesce(json_agg(json_build_object('number', number, 'subject', subject, 'description', description,
        'status', status, 'blockedBy', blocked_by, 'agent', agent, 'prompt', prompt, 'childId', child_id,
        'isAutomatic', is_automatic, 'createdAt', iso(created_at), 'finishedAt', iso(finished_at)) ORDER BY number), '[]')
      FROM tasks WHERE agent_run_id = v_row.id),
    'messages', (SELECT coalesce(json_agg(json_build_object('index', index, 'content', content) ORDER BY index), '[]')
      FROM messages WHERE agent_run_id = v_row.id),
    'steps', (SELECT coalesce(json_agg(json_build_object('position', position, 'turn', turn, 'kind', kind,
        'status', status, 'callId', call_id, 'replyMessage', reply_message, 'standIn', error ->> 'standIn') ORDER BY position), '[]')
      FROM steps WHERE agent_run_id = v_row.id),
    'effects', (SELECT coalesce(json_agg(json_build_object('key', key, 'status', status, 'call', call_key, 'sent', sent_key)), '[]')
      FROM effects WHERE agent_run_id = v_row.id),
    'requests', (SELECT coalesce(json_agg(json_build_object('id', id, 'position', position, 'status', status,
        'createdAt', iso(created_at))), '[]')
      FROM human_requests WHERE agent_run_id = v_row.id),
    'steers', (SELECT coalesce(json_agg(json_build_object('id', id, 'author', author, 'text', text, 'clearsTodo', clears_todo)
        ORDER BY created_at, id), '[]')
      FROM steers WHERE agent_run_id = v_row.id AND read_at IS NULL));
END $$;
