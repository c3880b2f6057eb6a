package io.tidegate.server.catalog;

/**
 * The sender of a request: an authenticated root key and its workspace.
 *
 * @param keyId id of the key
 * @param enabled whether the key is enabled
 * @param permissions actions that the key is permitted
 * @param workspace workspace of the key
 */
public record Caller(
    String keyId, boolean enabled, Permissions permissions, KnownWorkspace workspace) {}
