-- What an agent run is about (INT-CTX-10, 11): {variables: [{name, value}], entities: [{type, id, label?}]}; null: nothing is noted.
-- See docs/decisions/041-context-of-an-agent-run.md.
ALTER TABLE "agent_runs" ADD COLUMN "context" JSONB;
-- Runs are found by an entity: context @> '{"entities": [{"type": …, "id": …}]}'.
CREATE INDEX "agent_runs_context_idx" ON "agent_runs" USING GIN ("context" jsonb_path_ops) WHERE "context" IS NOT NULL;

-- As before; the root agent run begins with the context of p_agent, where it has one.
CREATE OR REPLACE FUNCTION store_run(p_run json, p_agent json) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  v_run runs := json_populate_record(NULL::runs, p_run);
  v_root uuid := p_agent ->> 'id';
  v_paused_by text := paused_by(v_run.workspace_id);
  v_context jsonb := p_agent -> 'context';
  v_at text;
BEGIN
  IF v_paused_by IS NOT NULL THEN RETURN v_paused_by; END IF;
  INSERT INTO runs (id, workspace_id, team_id, team_version_id, agent_version_id, conversation_id, rerun_of_id, title, input, model,
      started_by_id, limits)
    VALUES (v_run.id, v_run.workspace_id, v_run.team_id, v_run.team_version_id, v_run.agent_version_id, v_run.conversation_id,
      v_run.rerun_of_id, v_run.title, v_run.input, v_run.model, v_run.started_by_id, v_run.limits);
  INSERT INTO agent_runs (id, workspace_id, run_id, handle, name, agent_version_id, team_node_id, depth, task, context)
    VALUES (v_root, v_run.workspace_id, v_run.id, p_agent ->> 'handle', p_agent ->> 'name', (p_agent ->> 'agentVersionId')::uuid,
      (p_agent ->> 'nodeId')::uuid, 0, v_run.input, v_context)
    RETURNING iso(created_at) INTO v_at;
  PERFORM append_events(json_build_array(
    json_build_object('r', v_run.id, 'kind', 'run.status',
      'body', json_build_object('status', 'queued', 'reason', NULL, 'answer', NULL, 'at', v_at)),
    json_build_object('r', v_run.id, 'a', v_root, 'kind', 'agent.created',
      'body', json_build_object('agent', json_build_object('id', v_root, 'createdAt', v_at)))), NULL);
  -- Right after its creation: what a run begins with is told by that place.
  IF v_context IS NOT NULL THEN
    PERFORM append_events(json_build_array(
      json_build_object('r', v_run.id, 'a', v_root, 'kind', 'agent.context', 'body', json_build_object('context', v_context))), NULL);
  END IF;
  -- A hint; a worker's sweep finds the row without it.
  PERFORM pg_notify('troupe_work', 'queued:' || v_root);
  RETURN NULL;
END $$;

-- As before, and context.
CREATE OR REPLACE FUNCTION journal_write_rest(p_rest json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE agent_runs SET collected_at = now() WHERE id IN (SELECT id FROM json_to_recordset(p_rest -> 'collected') AS x(id uuid));
  UPDATE steers SET read_at = now() WHERE id IN (SELECT id FROM json_to_recordset(p_rest -> 'read') AS x(id uuid));
  UPDATE human_requests SET told_ids = told_ids || x.agents
    FROM (SELECT id, array_agg(a) AS agents FROM json_to_recordset(p_rest -> 'told') AS t(id uuid, a uuid) GROUP BY id) x
    WHERE human_requests.id = x.id;
  UPDATE agent_runs SET todo = x.todo FROM json_to_recordset(p_rest -> 'todos') AS x(a uuid, todo jsonb) WHERE id = x.a;
  -- A JSON null in a recordset is an SQL null: nothing is noted any more.
  UPDATE agent_runs SET context = x.context FROM json_to_recordset(p_rest -> 'contexts') AS x(a uuid, context jsonb) WHERE id = x.a;
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

-- As before; a child begins with the context its unit says.
CREATE OR REPLACE FUNCTION journal_write(
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
        output_tokens, reasoning_tokens, cost_nano_usd, input_rate, cached_rate, output_rate, reasoning_rate)
      SELECT a, position, w, r, provider, model, input, cached, output, reasoning, cost, "inputRate", "cachedRate", "outputRate",
        "reasoningRate"
      FROM json_to_recordset(p_usages) AS u(a uuid, position int, w uuid, r uuid, provider text, model text, input int,
        cached int, output int, reasoning int, cost bigint, "inputRate" bigint, "cachedRate" bigint, "outputRate" bigint,
        "reasoningRate" bigint);
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
        team_node_id, depth, task, context)
      SELECT id, w, r, a, decision, handle, name, version, node, depth, task, context
      FROM json_to_recordset(p_children) AS c(id uuid, w uuid, r uuid, a uuid, decision uuid, handle text, name text,
        version uuid, node uuid, depth int, task text, context jsonb)
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
-- Replacing a function forgets its settings: these it has had from the start, and lost when it was last replaced.
ALTER FUNCTION journal_write(json, json, json, json, json, json, json, json, json, json, json, json, json, json)
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off;

-- As before, with the context.
CREATE OR REPLACE FUNCTION journal_open(p_agent_run uuid, p_worker text, p_generation int DEFAULT 0) RETURNS json LANGUAGE plpgsql AS $$
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
    'context', v_row.context,
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
