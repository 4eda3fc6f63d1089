/** Agents that name the base, in their draft or in their newest version. Base is `b`. */
export const BASE_AGENTS = `
  SELECT coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) ORDER BY a.name), '[]') AS agents
  FROM agents a
  LEFT JOIN LATERAL (SELECT config FROM agent_versions v
    WHERE v.workspace_id = a.workspace_id AND v.agent_id = a.id ORDER BY number DESC LIMIT 1) v ON true
  WHERE a.workspace_id = b.workspace_id AND a.archived_at IS NULL
    AND (a.draft -> 'knowledge' @> to_jsonb(b.id::text) OR v.config -> 'knowledge' @> to_jsonb(b.id::text))`;

/** Columns of a base `b` in the shape of its summary. */
export const BASE_COLUMNS = `
  b.id, b.name, b.description, d.documents, d.entries, d.busy, d.failed, d."sizeBytes", b.chunk_count AS chunks,
  b.embedding_model AS "embeddingModel", used.agents, iso(b.updated_at) AS "updatedAt"`;

export const BASE_JOINS = `
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS documents, coalesce(sum(size_bytes), 0)::float8 AS "sizeBytes",
      count(entry_kind)::int AS entries,
      count(*) FILTER (WHERE status IN ('queued', 'extracting', 'indexing'))::int AS busy,
      count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM documents WHERE workspace_id = b.workspace_id AND base_id = b.id
  ) d
  CROSS JOIN LATERAL (${BASE_AGENTS}) used`;
