INSERT INTO ratelimit_window_counts
    (pk, workspace_id, namespace, identifier, duration_ms, sequence, region, count, expires_at, updated_at)
VALUES
    /*rows*/
ON DUPLICATE KEY UPDATE
    updated_at = IF(VALUES(count) > count, VALUES(updated_at), updated_at), -- in this order: the count must be the old one
    count = GREATEST(count, VALUES(count))
