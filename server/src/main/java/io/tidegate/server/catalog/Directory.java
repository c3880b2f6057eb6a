package io.tidegate.server.catalog;

import io.tidegate.catalog.CatalogChanges;
import io.tidegate.catalog.LimitOverride;
import io.tidegate.catalog.Namespace;
import io.tidegate.catalog.RootKey;
import io.tidegate.catalog.Workspace;
import io.tidegate.server.log.Log;
import java.security.MessageDigest;
import java.util.Comparator;
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
 * This node's copy of the whole catalog, in memory.
 *
 * <p>Any thread may read and apply changes. Changes may arrive late or twice; the newest version of
 * each row wins.
 */
public final class Directory {

  /** Bytes of a hash that the map is indexed by; the whole hash is compared in constant time. */
  private static final int INDEXED_BYTES = 8;

  @SuppressWarnings("ArrayRecordComponent") // never compared, only its hash is
  private record KnownKey(byte[] hash, boolean revoked, long version, Caller caller) {}

  private final Map<String, KnownWorkspace> workspaces = new ConcurrentHashMap<>();
  private final Map<Long, KnownKey> keys = new ConcurrentHashMap<>();

  /**
   * The caller with this root key.
   *
   * @param hash SHA-256 of the key
   * @return null if the key is unknown or revoked, or if its workspace was not read yet
   */
  public @Nullable Caller find(byte[] hash) {
    KnownKey known = keys.get(index(hash));
    return known != null
            && MessageDigest.isEqual(known.hash, hash)
            && !known.revoked
            && known.caller.workspace().isRead()
        ? known.caller
        : null;
  }

  /** The workspace with this id; null if there is none, or if it was not read yet. */
  public @Nullable KnownWorkspace workspace(String id) {
    KnownWorkspace known = workspaces.get(id);
    return known != null && known.isRead() ? known : null;
  }

  /** All workspaces that were read, in ascending order of their ids. */
  public List<KnownWorkspace> workspaces() {
    return workspaces.values().stream()
        .filter(KnownWorkspace::isRead)
        .sorted(Comparator.comparing(KnownWorkspace::id))
        .toList();
  }

  /** Applies changes read from the catalog, except those older than what was applied before. */
  public void apply(CatalogChanges changes) {
    each(changes.workspaces(), Workspace::id, changed -> known(changed.id()).apply(changed));
    each(
        changes.namespaces(),
        Namespace::id,
        changed -> known(changed.workspaceId()).apply(changed));
    Set<Overrides> changedOverrides = new HashSet<>();
    each(
        changes.overrides(),
        LimitOverride::id,
        changed -> changedOverrides.add(known(changed.workspaceId()).stage(changed)));
    changedOverrides.forEach(Overrides::publish);
    each(changes.keys(), RootKey::id, this::apply);
  }

  /** Applies each row on its own: an invalid row must not block the rows after it. */
  private static <T> void each(List<T> changes, Function<T, String> id, Consumer<T> apply) {
    for (T changed : changes) {
      try {
        apply.accept(changed);
      } catch (RuntimeException e) {
        Log.error("ignoring an invalid row of the catalog", e, "id", id.apply(changed));
      }
    }
  }

  private void apply(RootKey changed) {
    byte[] hash = HexFormat.of().parseHex(changed.hash());
    Caller caller = new Caller(
        changed.id(),
        changed.enabled(),
        new Permissions(changed.permissions()),
        known(changed.workspaceId()));
    keys.merge(
        index(hash),
        new KnownKey(hash, changed.revoked(), changed.version(), caller),
        (known, fresh) -> known.version >= fresh.version ? known : fresh);
  }

  private KnownWorkspace known(String id) {
    return workspaces.computeIfAbsent(id, KnownWorkspace::new);
  }

  private static long index(byte[] hash) {
    long index = 0;
    for (int i = 0; i < INDEXED_BYTES; i++) {
      index = (index << 8) | (hash[i] & 0xff);
    }
    return index;
  }
}
