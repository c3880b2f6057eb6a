SELECT workspace_id, namespace, identifier, duration_ms, sequence, region, count
FROM ratelimit_window_counts
WHERE pk IN (/*keys*/)
