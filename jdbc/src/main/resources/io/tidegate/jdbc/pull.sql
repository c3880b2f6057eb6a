SELECT workspace_id, namespace, identifier, duration_ms, sequence, region, count
FROM ratelimit_window_counts
WHERE updated_at >= ? AND expires_at > ?
