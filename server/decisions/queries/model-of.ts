/**
 * "provider/model" that took decision `d` in step `s` with usage `u`, of agent version `v` and run `r`; null where no model did. What answered
 * says it itself, also in a step that was copied from another run; of a call that failed its request does. Of one from before failed calls kept
 * theirs the step has the model's own name alone: it is the one of that name that was to be used, or none that is known more of.
 */
export const MODEL_OF = `CASE WHEN s.kind = 'model' THEN coalesce(
  u.provider || '/' || u.model,
  (s.reused -> 'call' ->> 'provider') || '/' || (s.reused -> 'call' ->> 'model'),
  (SELECT string_agg(b.content, '' ORDER BY b.part)::jsonb ->> 'model' FROM blobs b
   WHERE b.workspace_id = d.workspace_id AND b.hash = s.request_hash),
  (SELECT x.ref FROM (VALUES (1, r.overrides ->> 'model'), (2, v.config ->> 'model'), (3, r.model)) AS x (nth, ref)
   WHERE substr(x.ref, strpos(x.ref, '/') + 1) = s.name ORDER BY x.nth LIMIT 1),
  s.name) END`;
