-- What each region has counted in each window cell.
--
-- A row's key is a hash of its series, with the sequence and the region: names are compared byte for byte, whatever the
-- collation, and may be longer than an index allows. The names themselves are kept to be read.
CREATE TABLE ratelimit_window_counts (
    pk           bigint unsigned NOT NULL AUTO_INCREMENT,
    series_hash  binary(16)      NOT NULL COMMENT 'of workspace, namespace, identifier and duration',
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
    UNIQUE KEY unique_window_region (series_hash, sequence, region),
    KEY expires_at_idx (expires_at),
    KEY updated_at_idx (updated_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
