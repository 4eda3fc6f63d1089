-- Journal units applied in this epoch: a write sent again after a lost connection changes nothing.
ALTER TABLE "agent_runs" ADD COLUMN "unit" INTEGER NOT NULL DEFAULT 0;

CREATE FUNCTION is_terminal(s run_status) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT s IN ('completed', 'failed', 'aborted') $$;

-- The only way an event comes to be. Numbers events per run without gaps: the head row stays locked until commit, so the
-- order of seq is the order of commits. Takes the run's new totals and status along. A decision that does not say what the
-- run had cost by then is told so here, where nobody else can add to it.
--   p_events [{r: run, a: agent run, kind, body}]   in order
--   p_heads  [{r, input, output, cost, unpriced, requests, status, reason, answer}]   sums to add, values to set
-- Locks: runs, in id order. A caller that also locks agent_runs must have done so before.
CREATE FUNCTION append_events(p_events json, p_heads json DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
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
      finished_at    = CASE WHEN is_terminal(h.status) THEN now() ELSE runs.finished_at END
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
    SELECT e.r, runs.last_seq - e.fewer, runs.workspace_id, e.a, e.kind,
      CASE WHEN e.kind = 'decision.made' AND NOT (e.body -> 'decision' ? 'costSoFarNanoUsd')
        THEN jsonb_set(e.body, '{decision,costSoFarNanoUsd}', to_jsonb(runs.cost_nano_usd)) ELSE e.body END
    FROM (SELECT r, a, kind, body, row_number() OVER (PARTITION BY r ORDER BY x DESC) - 1 AS fewer
          FROM ROWS FROM (json_to_recordset(p_events) AS (r uuid, a uuid, kind text, body jsonb))
            WITH ORDINALITY AS t(r, a, kind, body, x)) e
    JOIN runs ON runs.id = e.r;
END $$;

-- Ends agent runs and all below them: their open steps are recorded as aborted, their questions withdrawn; a run that waited
-- for nothing else is running again. Raising the epoch fences whoever executes them. Returns the ids it ended.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION abort_agent_runs(p_ids uuid[], p_reason text) RETURNS uuid[] LANGUAGE plpgsql AS $$
DECLARE
  v_ids uuid[] := '{}';
  v_more uuid[];
  v_closed int;
  v_run uuid;
  v_goes_on boolean;
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
  PERFORM 1 FROM human_requests WHERE agent_run_id = ANY (v_ids) AND status = 'open' ORDER BY id FOR UPDATE;
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

  SELECT json_agg(json_build_object('r', run_id, 'a', a, 'kind', kind, 'body', body) ORDER BY rank, a) INTO v_events FROM (
    SELECT 1 AS rank, s.run_id, s.agent_run_id AS a, 'step.finished' AS kind, json_build_object('step', json_build_object(
        'agentRunId', s.agent_run_id, 'position', s.position, 'turn', s.turn, 'kind', s.kind, 'name', s.name,
        'status', s.status, 'error', NULL, 'startedAt', iso(s.started_at), 'finishedAt', iso(s.finished_at),
        'inputTokens', 0, 'outputTokens', 0, 'costNanoUsd', NULL, 'inputBytes', 0, 'outputBytes', 0)) AS body
      FROM agent_runs ar, jsonb_to_recordset(ar.open_steps) AS o(position int)
      JOIN steps s ON s.position = o.position
      WHERE ar.id = ANY (v_ids) AND s.agent_run_id = ar.id AND s.status = 'aborted'
    UNION ALL
    SELECT 2, q.run_id, q.agent_run_id, 'request.closed', json_build_object('requestId', q.id, 'status', 'withdrawn',
        'answer', NULL, 'answeredBy', NULL, 'at', iso(now()))
      FROM human_requests q WHERE q.agent_run_id = ANY (v_ids) AND q.status = 'open'
    UNION ALL
    SELECT 3, ar.run_id, ar.id, 'agent.status', json_build_object('status', 'aborted', 'reason', p_reason, 'at', iso(now()))
      FROM agent_runs ar WHERE ar.id = ANY (v_ids)
    UNION ALL
    SELECT 4, v_run, NULL, 'run.status', json_build_object('status', 'running', 'reason', NULL, 'answer', NULL, 'at', iso(now()))
      WHERE v_goes_on
  ) happened;

  UPDATE human_requests SET status = 'withdrawn', answered_at = now()
    WHERE agent_run_id = ANY (v_ids) AND status = 'open';
  UPDATE agent_runs SET status = 'aborted', status_reason = p_reason, epoch = epoch + 1, unit = 0, open_steps = '[]',
      finished_at = now()
    WHERE id = ANY (v_ids);
  DELETE FROM live_texts WHERE agent_run_id = ANY (v_ids);
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_run, 'requests', -v_closed,
    'status', CASE WHEN v_goes_on THEN 'running' END)));
  PERFORM pg_notify('troupe_work', 'aborted:' || id) FROM unnest(v_ids) AS id;
  RETURN v_ids;
END $$;

-- Shows an agent run that nobody can carry on as interrupted, and with the root its run. Whoever may still execute it is fenced,
-- its questions are withdrawn, and what works below it ends: nobody is left to collect that. False when there was nothing to do.
-- Locks: agent_runs, then human_requests, then runs.
CREATE FUNCTION interrupt_agent_run(p_id uuid, p_reason text) RETURNS boolean LANGUAGE plpgsql AS $$
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
  PERFORM 1 FROM human_requests WHERE agent_run_id = p_id AND status = 'open' ORDER BY id FOR UPDATE;
  IF v_below IS NOT NULL THEN PERFORM abort_agent_runs(v_below, 'parent_interrupted'); END IF;

  SELECT count(*) INTO v_closed FROM human_requests WHERE agent_run_id = p_id AND status = 'open';
  SELECT status = 'waiting' AND v_closed > 0 AND open_requests <= v_closed AND v_row.parent_id IS NOT NULL
    INTO v_goes_on FROM runs WHERE id = v_row.run_id FOR NO KEY UPDATE;
  SELECT json_agg(json_build_object('r', v_row.run_id, 'a', a, 'kind', kind, 'body', body) ORDER BY rank) INTO v_events FROM (
    SELECT 1 AS rank, p_id AS a, 'request.closed' AS kind, json_build_object('requestId', id, 'status', 'withdrawn',
        'answer', NULL, 'answeredBy', NULL, 'at', iso(now())) AS body
      FROM human_requests WHERE agent_run_id = p_id AND status = 'open'
    UNION ALL
    SELECT 2, p_id, 'agent.status', json_build_object('status', 'interrupted', 'reason', p_reason, 'at', iso(now()))
    UNION ALL
    SELECT 3, NULL, 'run.status', json_build_object('status', CASE WHEN v_goes_on THEN 'running' ELSE 'interrupted' END,
        'reason', CASE WHEN NOT v_goes_on THEN p_reason END, 'answer', NULL, 'at', iso(now()))
      WHERE v_goes_on OR v_row.parent_id IS NULL
  ) happened;

  UPDATE human_requests SET status = 'withdrawn', answered_at = now() WHERE agent_run_id = p_id AND status = 'open';
  UPDATE agent_runs SET status = 'interrupted', status_reason = p_reason, epoch = epoch + 1, unit = 0 WHERE id = p_id;
  DELETE FROM live_texts WHERE agent_run_id = p_id;
  PERFORM append_events(v_events, json_build_array(json_build_object('r', v_row.run_id, 'requests', -v_closed,
    'status', CASE WHEN v_row.parent_id IS NULL THEN 'interrupted' WHEN v_goes_on THEN 'running' END,
    'reason', CASE WHEN v_row.parent_id IS NULL THEN p_reason END)));
  PERFORM pg_notify('troupe_work', 'aborted:' || p_id);
  RETURN true;
END $$;

-- Rounded as the columns round it, so that an event and its row say the same instant.
CREATE FUNCTION iso(t timestamptz) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT to_char(t::timestamptz(3) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Everything an executing agent run records, for many runs in one statement and one commit (group commit).
-- Fence: an owner {a: agent run, e: epoch, u: unit} may write while its epoch is the newest and the run has not ended. If any
-- owner may not, nothing is written and those owners come back: 'lost' (somebody else executes it, or it has ended) or
-- 'applied' (this very unit was committed before: the answer was lost with a connection).
-- Locks: agent_runs in id order, then runs in id order.
CREATE FUNCTION journal_write(
  p_owners json, p_blobs json, p_decisions json, p_children json, p_steps json, p_messages json, p_usages json,
  p_effects json, p_requests json, p_agents json, p_aborts json, p_events json, p_heads json
) RETURNS TABLE (agent_run uuid, refused text) LANGUAGE plpgsql AS $$
DECLARE
  v_held uuid[];
BEGIN
  SELECT coalesce(array_agg(id), '{}') INTO v_held FROM (
    SELECT ar.id FROM json_to_recordset(p_owners) AS o(a uuid, e int, u int)
    JOIN agent_runs ar ON ar.id = o.a AND ar.epoch = o.e AND ar.unit < o.u AND NOT is_terminal(ar.status)
    ORDER BY ar.id FOR NO KEY UPDATE OF ar) held;
  IF array_length(v_held, 1) IS DISTINCT FROM json_array_length(p_owners) THEN
    RETURN QUERY
      SELECT o.a, CASE WHEN ar.epoch = o.e AND ar.unit >= o.u THEN 'applied' ELSE 'lost' END
      FROM json_to_recordset(p_owners) AS o(a uuid, e int, u int)
      LEFT JOIN agent_runs ar ON ar.id = o.a
      WHERE NOT (o.a = ANY (v_held));
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
        epoch, settled_at)
      SELECT key, w, r, a, position, tool, args, honours, status, e, CASE WHEN status <> 'intended' THEN now() END
      FROM json_to_recordset(p_effects) AS f(key text, w uuid, r uuid, a uuid, position int, tool text, args text,
        honours boolean, status text, e int)
      ON CONFLICT (key) DO UPDATE SET status = excluded.status, epoch = excluded.epoch, settled_at = excluded.settled_at;
  END IF;
  IF p_aborts IS NOT NULL THEN
    PERFORM abort_agent_runs(array_agg(t.id), t.reason)
      FROM json_to_recordset(p_aborts) AS t(id uuid, reason text) GROUP BY t.reason;
  END IF;

  UPDATE agent_runs ar SET
    unit          = o.u,
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
    output bigint, cost bigint, result text) ON x.a = o.a
  WHERE ar.id = o.a;
  IF p_agents IS NOT NULL THEN
    UPDATE agent_runs c SET collected_at = now()
      FROM json_to_recordset(p_agents) AS x(collected jsonb)
      WHERE x.collected IS NOT NULL AND c.id IN (SELECT v::uuid FROM jsonb_array_elements_text(x.collected) v);
    PERFORM pg_notify('troupe_work', 'ended:' || x.a)
      FROM json_to_recordset(p_agents) AS x(a uuid, status run_status) WHERE is_terminal(x.status);
  END IF;
  IF p_events IS NOT NULL THEN PERFORM append_events(p_events, p_heads); END IF;
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
        schema, call, arguments_hash)
      SELECT id, w, r, a, position, decision, kind, prompt, options, schema, call, args
      FROM json_to_recordset(p_requests) AS q(id uuid, w uuid, r uuid, a uuid, position int, decision uuid, kind text,
        prompt text, options jsonb, schema jsonb, call jsonb, args text);
  END IF;
END $$;

-- Begins an execution: raises the epoch, so that whoever executed before can write no more, and reads all there is to go on
-- from. Returns null when the agent run has ended or is unknown.
CREATE FUNCTION journal_open(p_agent_run uuid, p_worker text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_row agent_runs;
  v_before agent_runs;
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
  RETURN json_build_object(
    'row', json_build_object('id', v_row.id, 'workspaceId', v_row.workspace_id, 'runId', v_row.run_id,
      'parentId', v_row.parent_id, 'handle', v_row.handle, 'name', v_row.name, 'depth', v_row.depth, 'task', v_row.task,
      'status', v_row.status, 'epoch', v_row.epoch, 'teamNodeId', v_row.team_node_id,
      'previousWorkerId', v_before.worker_id),
    'config', (SELECT config FROM agent_versions WHERE id = v_row.agent_version_id),
    'spawnable', (SELECT coalesce(json_agg(json_build_object('name', a.name, 'purpose', av.config ->> 'purpose',
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

-- The planner guesses 100 rows for every JSON array and would hash whole tables as they grow: look up by index.
ALTER FUNCTION append_events(json, json) SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;
ALTER FUNCTION journal_write(json, json, json, json, json, json, json, json, json, json, json, json, json)
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;
