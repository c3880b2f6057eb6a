package io.tidegate.server.catalog;

import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.RootKey;
import io.tidegate.catalog.Workspace;
import io.tidegate.server.log.Log;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that the catalog says, in memory. What is applied may come late or twice: the newer version
 * stays.
 */
public final class Directory {

  /** Enough of a hash to look up by; the rest is compared in constant time. */
  private static final int INDEXED_BYTES = 8;

  /** A key as requests are compared with it. */
  private record KnownKey(byte[] hash, Caller caller) {}

  private final Map<String, KnownWorkspace> workspaces = new ConcurrentHashMap<>();
  private final Map<Long, KnownKey> keys = new ConcurrentHashMap<>();

  /**
   * Who has this key.
   *
   * @param hash SHA-256 of what was sent
   * @return null if nobody has, or has no longer
   */
  public @Nullable Caller find(byte[] hash) {
    KnownKey known = keys.get(index(hash));
    return known != null
            && MessageDigest.isEqual(known.hash, hash)
            && !known.caller.key().revoked()
        ? known.caller
        : null;
  }

  /** Takes note of what was read or edited, unless something newer is known. */
  public void apply(CatalogChanges changes) {
    each(changes.workspaces(), Workspace::id, changed -> workspace(changed.id()).apply(changed));
    each(
        changes.namespaces(),
        Namespace::id,
        changed -> workspace(changed.workspaceId()).apply(changed));
    Set<Overrides> changedOverrides = new HashSet<>();
    each(
        changes.overrides(),
        LimitOverride::id,
        changed -> changedOverrides.add(workspace(changed.workspaceId()).stage(changed)));
    changedOverrides.forEach(Overrides::publish);
    each(changes.keys(), RootKey::id, this::apply);
  }

  /** One row that somebody has broken by hand must not keep the others from being known. */
  private static <T> void each(List<T> changes, Function<T, String> id, Consumer<T> apply) {
    for (T changed : changes) {
      try {
        apply.accept(changed);
      } catch (RuntimeException e) {
        Log.error("a row of the catalog cannot be used", e, "id", id.apply(changed));
      }
    }
  }

  private void apply(RootKey changed) {
    byte[] hash = HexFormat.of().parseHex(changed.hash());
    Caller caller = new Caller(
        changed, new Permissions(changed.permissions()), workspace(changed.workspaceId()));
    keys.merge(
        index(hash),
        new KnownKey(hash, caller),
        (known, fresh) ->
            known.caller.key().version() >= fresh.caller.key().version() ? known : fresh);
  }

  private KnownWorkspace workspace(String id) {
    return workspaces.computeIfAbsent(id, KnownWorkspace::new);
  }

  private static long index(byte[] hash) {
    long index = 0;
    for (int i = 0; i < INDEXED_BYTES; i++) {
      index = index << 8 | hash[i] & 0xff;
    }
    return index;
  }
}
