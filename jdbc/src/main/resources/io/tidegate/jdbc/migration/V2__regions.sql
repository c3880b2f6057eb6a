-- The regions that use a name, to detect two regions with the same name.
--
-- Names are stored as UTF-8 and compared byte for byte, including trailing blanks.
CREATE TABLE IF NOT EXISTS ratelimit_regions (
    region        varbinary(192)  NOT NULL COMMENT 'name of the region',
    identity      varbinary(192)  NOT NULL COMMENT 'identity of the region, the same on all its nodes',
    announcements bigint unsigned NOT NULL COMMENT 'only grows',
    updated_at    bigint          NOT NULL COMMENT 'time of the last announcement, by the clock of the database, in milliseconds',
    PRIMARY KEY (region, identity)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
