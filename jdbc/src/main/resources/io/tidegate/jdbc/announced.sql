SELECT COALESCE(SUM(announcements), 0) AS announcements
FROM ratelimit_regions
WHERE region = ? AND identity <> ?
