-- An index for the rows of one region, which each of its nodes reads once a minute.
--
-- Raising a count does not change this index. Nodes can push and pull while the database builds it. MySQL has no IF NOT
-- EXISTS for indexes; if the index exists, this statement fails with error 1061 and changes nothing.
ALTER TABLE ratelimit_window_counts
    ADD INDEX region_idx (region, expires_at),
    ALGORITHM = INPLACE, LOCK = NONE;
