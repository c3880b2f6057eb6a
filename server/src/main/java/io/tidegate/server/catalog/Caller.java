package io.tidegate.server.catalog;

import io.tidegate.catalog.RootKey;

/**
 * Who asks: a root key that is known, and its workspace.
 *
 * @param key the key
 * @param permissions what it may do
 * @param workspace whose it is
 */
public record Caller(RootKey key, Permissions permissions, KnownWorkspace workspace) {}
