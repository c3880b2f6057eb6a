SELECT workspace_id, namespace, identifier, duration_ms, sequence, region, count
FROM ratelimit_window_counts
WHERE updated_at >= ? AND expires_at > ?
    AND CAST(region AS BINARY) <> ? -- as text, names that differ in trailing blanks would be equal
