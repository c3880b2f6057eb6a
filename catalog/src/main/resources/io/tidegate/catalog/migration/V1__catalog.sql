-- The catalog in MySQL or MariaDB: workspaces, root keys, namespaces and overrides.
--
-- Unique keys are on hashes of names, so that names are compared byte for byte whatever the collation is. A name has at
-- most 512 characters, which are up to 1024 UTF-16 units. Rows are never deleted, only marked: a row carries the version
-- of its last edit, by which nodes find changes.
CREATE TABLE IF NOT EXISTS catalog_version (
    id      int    NOT NULL COMMENT 'there is one row',
    version bigint NOT NULL COMMENT 'of the last edit; every edit locks this row first',
    PRIMARY KEY (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT IGNORE INTO catalog_version (id, version) VALUES (1, 0);

CREATE TABLE IF NOT EXISTS workspaces (
    id                  varchar(32)   NOT NULL,
    name                varchar(1024) NOT NULL,
    enabled             boolean       NOT NULL,
    requests_per_minute bigint        NULL COMMENT 'null: unlimited',
    created_at_m        bigint        NOT NULL COMMENT 'here and below: milliseconds since 1970',
    version             bigint        NOT NULL,
    PRIMARY KEY (id),
    KEY workspaces_version (version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS root_keys (
    id           varchar(32)   NOT NULL,
    workspace_id varchar(32)   NOT NULL,
    name         varchar(1024) NOT NULL,
    key_hash     char(64)      NOT NULL COMMENT 'SHA-256 of the key, which is not stored',
    key_start    varchar(16)   NOT NULL,
    permissions  text          NOT NULL COMMENT 'one per line',
    enabled      boolean       NOT NULL,
    created_at_m bigint        NOT NULL,
    revoked_at_m bigint        NULL,
    version      bigint        NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY root_keys_key_hash (key_hash),
    KEY root_keys_version (version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS ratelimit_namespaces (
    id           varchar(32)   NOT NULL,
    workspace_id varchar(32)   NOT NULL,
    name         varchar(1024) NOT NULL,
    name_hash    binary(32)    NOT NULL COMMENT 'SHA-256 of the name',
    created_at_m bigint        NOT NULL,
    deleted_at_m bigint        NULL,
    version      bigint        NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY ratelimit_namespaces_name (workspace_id, name_hash),
    KEY ratelimit_namespaces_version (version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS ratelimit_overrides (
    id              varchar(32)   NOT NULL,
    workspace_id    varchar(32)   NOT NULL,
    namespace_id    varchar(32)   NOT NULL,
    identifier      varchar(1024) NOT NULL COMMENT 'a pattern',
    identifier_hash binary(32)    NOT NULL COMMENT 'SHA-256 of the identifier',
    limit_tokens    bigint        NOT NULL,
    duration_ms     bigint        NOT NULL,
    created_at_m    bigint        NOT NULL,
    updated_at_m    bigint        NOT NULL,
    deleted_at_m    bigint        NULL,
    version         bigint        NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY ratelimit_overrides_identifier (namespace_id, identifier_hash),
    KEY ratelimit_overrides_version (version)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS audit_log (
    id           bigint        NOT NULL AUTO_INCREMENT,
    workspace_id varchar(32)   NOT NULL,
    event        varchar(64)   NOT NULL,
    actor        varchar(1024) NOT NULL,
    target       varchar(32)   NOT NULL COMMENT 'id of the changed row',
    at_m         bigint        NOT NULL,
    version      bigint        NOT NULL COMMENT 'of the edit',
    PRIMARY KEY (id),
    KEY audit_log_workspace (workspace_id, at_m)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
