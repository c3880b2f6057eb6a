SELECT pk
FROM ratelimit_window_counts
WHERE expires_at < TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000 - 60000 -- one minute, for nodes whose clocks are behind
LIMIT 25000
