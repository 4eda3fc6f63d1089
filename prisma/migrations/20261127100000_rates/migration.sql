-- Prices of cached and of reasoning tokens, and the rates each call was billed at (docs/decisions/039-rates-are-kept-with-each-usage.md).
-- Adding columns without a default rewrites no row: calls from before keep none.
ALTER TABLE "provider_models" ADD COLUMN "cached_nano_usd_per_mtok" BIGINT, ADD COLUMN "reasoning_nano_usd_per_mtok" BIGINT;

ALTER TABLE "usages" ADD COLUMN "reasoning_tokens" INTEGER, ADD COLUMN "input_rate" BIGINT, ADD COLUMN "cached_rate" BIGINT,
  ADD COLUMN "output_rate" BIGINT, ADD COLUMN "reasoning_rate" BIGINT;

-- As before; a usage also has its tokens of reasoning and its rates.
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
