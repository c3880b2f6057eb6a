-- The index region_idx has the regions in order, so that the database reads one entry of each.
SELECT region FROM ratelimit_window_counts GROUP BY region LIMIT 200
