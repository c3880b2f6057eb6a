SELECT workspace_id, namespace, identifier, duration_ms, sequence, region, count
FROM ratelimit_window_counts
WHERE region = ? AND expires_at > ?
    AND CAST(region AS BINARY) = ? -- as text, which the index needs, names that differ in trailing blanks are equal
