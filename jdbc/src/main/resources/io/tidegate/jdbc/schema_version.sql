-- The version of the tables of the global counters: one row.
CREATE TABLE IF NOT EXISTS tidegate_schema (
    id              int NOT NULL COMMENT 'there is one row, 1',
    version         int NOT NULL COMMENT 'number of migrations done',
    compatible_from int NOT NULL COMMENT 'oldest version that a release must know to use these tables',
    PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin
