INSERT INTO ratelimit_window_counts
    (pk, workspace_id, namespace, identifier, duration_ms, sequence, region, count, expires_at, updated_at)
VALUES
    /*rows*/
ON DUPLICATE KEY UPDATE
    -- In this order: the comparison needs the old count. GREATEST: a statement that waited for a lock may be older than the row.
    updated_at = IF(VALUES(count) > count, GREATEST(updated_at, VALUES(updated_at)), updated_at),
    count = GREATEST(count, VALUES(count))
