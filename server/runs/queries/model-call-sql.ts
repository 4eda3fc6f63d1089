/** Of a step `s`: that it sent something to a model. What condensed a tool's result belongs to the tool's step. */
export const IS_MODEL_CALL = "(s.kind IN ('model', 'summary') OR s.request_hash IS NOT NULL)";

/** How many calls like step `s` failed in a row just before it. */
export const FAILURES_BEFORE = `(SELECT count(*)::int FROM steps f WHERE f.workspace_id = s.workspace_id AND f.agent_run_id = s.agent_run_id
  AND f.position < s.position AND f.kind = s.kind AND f.status = 'failed' AND f.position > coalesce(
    (SELECT max(d.position) FROM steps d WHERE d.workspace_id = s.workspace_id AND d.agent_run_id = s.agent_run_id
       AND d.position < s.position AND d.status = 'completed'), -1))`;
