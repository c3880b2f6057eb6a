SELECT LEAST(COALESCE(MAX(updated_at), 1), CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)) AS newest
FROM ratelimit_window_counts
