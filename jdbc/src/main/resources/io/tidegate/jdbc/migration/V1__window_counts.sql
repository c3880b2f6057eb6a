-- The count of each region in each window cell.
--
-- The primary key is a hash of all columns that identify a row. Names are therefore compared byte for byte, whatever the
-- collation, and can be longer than an index allows. Writers lock only this key: writers that lock their rows in its order
-- never deadlock.
CREATE TABLE IF NOT EXISTS ratelimit_window_counts (
    pk           binary(16)      NOT NULL COMMENT 'of workspace_id, namespace, identifier, duration_ms, sequence, region',
    workspace_id varchar(512)    NOT NULL,
    namespace    varchar(512)    NOT NULL,
    identifier   varchar(512)    NOT NULL,
    duration_ms  bigint unsigned NOT NULL COMMENT 'length of the window',
    sequence     bigint          NOT NULL COMMENT 'index of the window, counted from 1970',
    region       varchar(48)     NOT NULL,
    count        bigint unsigned NOT NULL COMMENT 'only grows',
    expires_at   bigint          NOT NULL COMMENT '(sequence + 2) * duration_ms: then it weighs on no decision any more',
    updated_at   bigint          NOT NULL COMMENT 'when the count grew last, by the clock of the database, in milliseconds',
    PRIMARY KEY (pk),
    KEY expires_at_idx (expires_at),
    KEY updated_at_idx (updated_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
