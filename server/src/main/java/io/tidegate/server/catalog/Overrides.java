package io.tidegate.server.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The overrides of one namespace: found by identifier on every decision, listed by id.
 *
 * <p>An override whose pattern equals the identifier wins over wildcards. Among wildcards, the one
 * with the most literal characters wins; among equals, the first in alphabetical order. The result
 * does not depend on the order in which overrides were set.
 *
 * <p>Any thread may read without a lock. Changes are applied under this object's lock.
 */
public final class Overrides {

  /**
   * Wildcards per namespace. An index finds the one that applies, but if all of them share their
   * literal text, a decision tries each.
   */
  public static final int MAX_WILDCARDS = 1_000;

  /** Includes deleted overrides, so that an older change that arrives later has no effect. */
  private final Map<String, KnownOverride> byPattern = new ConcurrentHashMap<>();

  private final NavigableMap<String, KnownOverride> byId = new ConcurrentSkipListMap<>();

  /** The overrides whose pattern is a wildcard, by pattern. Written under this object's lock. */
  private final Map<String, KnownOverride> wildcards = new ConcurrentHashMap<>();

  /** The wildcards as of the last {@link #publish}. */
  private volatile WildcardIndex index = new WildcardIndex(List.of());

  /** Whether a wildcard has changed since the last {@link #publish}. Guarded by this. */
  private boolean stale;

  Overrides() {}

  /** The override that applies to an identifier; null if none does. */
  public @Nullable KnownOverride find(String identifier) {
    if (byId.isEmpty()) {
      return null;
    }
    KnownOverride exact = exact(identifier);
    return exact != null ? exact : index.find(identifier);
  }

  /** The override with exactly this pattern; null if there is none. */
  public @Nullable KnownOverride exact(String pattern) {
    KnownOverride found = byPattern.get(pattern);
    return found == null || found.deleted() ? null : found;
  }

  /**
   * One page of the overrides, in ascending order of their ids.
   *
   * @param fromId first id of the page
   * @param maxSize maximum number of overrides
   */
  public List<KnownOverride> page(String fromId, int maxSize) {
    List<KnownOverride> page = new ArrayList<>();
    for (KnownOverride override : byId.tailMap(fromId, true).values()) {
      if (page.size() == maxSize) {
        break;
      }
      page.add(override);
    }
    return page;
  }

  /** Number of wildcards. */
  int wildcards() {
    return wildcards.size();
  }

  /**
   * Applies a change unless a newer one was applied before. Changed wildcards take effect with the
   * next {@link #publish}, so that many changes cost one index.
   *
   * @return whether the pattern is new
   */
  synchronized boolean apply(KnownOverride override) {
    KnownOverride known = byPattern.get(override.identifier());
    if (known != null && known.version() >= override.version()) {
      return false;
    }
    byPattern.put(override.identifier(), override);
    if (override.deleted()) {
      byId.remove(override.id());
    } else {
      byId.put(override.id(), override);
    }
    if (Wildcard.isWildcard(override.identifier())) {
      if (override.deleted()) {
        wildcards.remove(override.identifier());
      } else {
        wildcards.put(override.identifier(), override);
      }
      stale = true;
    }
    return known == null;
  }

  /** Makes changed wildcards take effect. Takes milliseconds: do not call on an event loop. */
  synchronized void publish() {
    if (stale) {
      index = new WildcardIndex(wildcards.values());
      stale = false;
    }
  }
}
