-- The catalog in a SQLite file. The columns are those of migration/V1__catalog.sql for MySQL and MariaDB.
--
-- Rows are never deleted, only marked: a row carries the version of its last edit, by which nodes find changes.
CREATE TABLE catalog_version (
    id      INTEGER NOT NULL PRIMARY KEY, -- there is one row
    version INTEGER NOT NULL              -- of the last edit
) STRICT;

INSERT INTO catalog_version (id, version) VALUES (1, 0);

CREATE TABLE workspaces (
    id                  TEXT    NOT NULL PRIMARY KEY,
    name                TEXT    NOT NULL,
    enabled             INTEGER NOT NULL,
    requests_per_minute INTEGER NULL,     -- null: unlimited
    created_at_m        INTEGER NOT NULL, -- here and below: milliseconds since 1970
    version             INTEGER NOT NULL
) STRICT;
CREATE INDEX workspaces_version ON workspaces (version);

CREATE TABLE root_keys (
    id           TEXT    NOT NULL PRIMARY KEY,
    workspace_id TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    key_hash     TEXT    NOT NULL UNIQUE, -- SHA-256 of the key, which is not stored
    key_start    TEXT    NOT NULL,
    permissions  TEXT    NOT NULL,        -- one per line
    enabled      INTEGER NOT NULL,
    created_at_m INTEGER NOT NULL,
    revoked_at_m INTEGER NULL,
    version      INTEGER NOT NULL
) STRICT;
CREATE INDEX root_keys_version ON root_keys (version);

CREATE TABLE ratelimit_namespaces (
    id           TEXT    NOT NULL PRIMARY KEY,
    workspace_id TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    name_hash    BLOB    NOT NULL, -- SHA-256 of the name
    created_at_m INTEGER NOT NULL,
    deleted_at_m INTEGER NULL,
    version      INTEGER NOT NULL,
    UNIQUE (workspace_id, name_hash)
) STRICT;
CREATE INDEX ratelimit_namespaces_version ON ratelimit_namespaces (version);

CREATE TABLE ratelimit_overrides (
    id              TEXT    NOT NULL PRIMARY KEY,
    workspace_id    TEXT    NOT NULL,
    namespace_id    TEXT    NOT NULL,
    identifier      TEXT    NOT NULL, -- a pattern
    identifier_hash BLOB    NOT NULL, -- SHA-256 of the identifier
    limit_tokens    INTEGER NOT NULL,
    duration_ms     INTEGER NOT NULL,
    created_at_m    INTEGER NOT NULL,
    updated_at_m    INTEGER NOT NULL,
    deleted_at_m    INTEGER NULL,
    version         INTEGER NOT NULL,
    UNIQUE (namespace_id, identifier_hash)
) STRICT;
CREATE INDEX ratelimit_overrides_version ON ratelimit_overrides (version);

CREATE TABLE audit_log (
    id           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    workspace_id TEXT    NOT NULL,
    event        TEXT    NOT NULL,
    actor        TEXT    NOT NULL,
    target       TEXT    NOT NULL, -- id of the changed row
    at_m         INTEGER NOT NULL,
    version      INTEGER NOT NULL  -- of the edit
) STRICT;
CREATE INDEX audit_log_workspace ON audit_log (workspace_id, at_m);
