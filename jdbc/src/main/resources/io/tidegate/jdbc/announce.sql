INSERT INTO ratelimit_regions (region, identity, announcements, updated_at)
VALUES (?, ?, 1, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)
ON DUPLICATE KEY UPDATE
    announcements = announcements + 1,
    updated_at = GREATEST(updated_at, VALUES(updated_at))
