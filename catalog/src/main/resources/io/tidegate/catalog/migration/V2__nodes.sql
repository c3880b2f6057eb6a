-- What the nodes of all regions report about themselves, for the view of the fleet. Not needed for decisions.
CREATE TABLE IF NOT EXISTS tidegate_nodes (
    node        varchar(320) NOT NULL,
    region      varchar(512) NOT NULL,
    report      mediumtext   NOT NULL COMMENT 'JSON',
    reported_at bigint       NOT NULL COMMENT 'milliseconds since 1970, by the clock of the database',
    PRIMARY KEY (node),
    KEY tidegate_nodes_reported_at (reported_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
