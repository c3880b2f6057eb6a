-- What each region has counted in each window cell.
--
-- The key is a hash of all names and numbers that tell a row from others: so they are compared byte for byte, whatever
-- the collation, and may be longer than an index allows. Being the primary key, it is also all that a writer locks:
-- writers that go through their rows in the order of this key never wait for each other in a circle.
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
