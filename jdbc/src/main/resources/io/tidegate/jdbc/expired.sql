SELECT pk
FROM ratelimit_window_counts
WHERE expires_at < CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) - 60000 -- a minute for nodes whose clocks are behind
LIMIT 25000
