package io.tidegate.server.catalog;

import io.tidegate.catalog.LimitOverride;
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
 * <p>Exactly the pattern's text comes first, then the wildcard with the most literal characters, of
 * several the first by its text: so what is found does not depend on who was set when.
 */
public final class Overrides {

  /** Tombstones among them, so that news that come late change nothing. */
  private final Map<String, LimitOverride> byPattern = new ConcurrentHashMap<>();

  private final NavigableMap<String, LimitOverride> byId = new ConcurrentSkipListMap<>();

  /** Those whose identifier is a wildcard, by it. Written under this object's lock. */
  private final Map<String, LimitOverride> wildcards = new ConcurrentHashMap<>();

  /** Finds among the wildcards of the last {@link #publish}. */
  private volatile WildcardIndex index = new WildcardIndex(List.of());

  /** Whether a wildcard has changed since. Guarded by this. */
  private boolean stale;

  Overrides() {}

  /**
   * What holds for an identifier.
   *
   * @param identifier who is being limited
   * @return the override, or null
   */
  public @Nullable LimitOverride find(String identifier) {
    if (byId.isEmpty()) {
      return null;
    }
    LimitOverride exact = exact(identifier);
    if (exact != null) {
      return exact;
    }
    return index.find(identifier);
  }

  /** The override of exactly this pattern, or null. */
  public @Nullable LimitOverride exact(String pattern) {
    LimitOverride found = byPattern.get(pattern);
    return found == null || found.deleted() ? null : found;
  }

  /**
   * Some of them, by id.
   *
   * @param fromId from which id on
   * @param most how many at most
   * @return in ascending order
   */
  public List<LimitOverride> page(String fromId, int most) {
    List<LimitOverride> page = new ArrayList<>();
    for (LimitOverride override : byId.tailMap(fromId, true).values()) {
      if (page.size() == most) {
        break;
      }
      page.add(override);
    }
    return page;
  }

  /** How many of them are wildcards. */
  public int wildcards() {
    return wildcards.size();
  }

  /**
   * Takes note of what was read or edited, unless something newer is known. Wildcards hold from the
   * next {@link #publish} on, so that many can be applied at once.
   *
   * @return whether its pattern is new here
   */
  synchronized boolean apply(LimitOverride override) {
    LimitOverride known = byPattern.get(override.identifier());
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

  /** Lets applied wildcards hold. Takes milliseconds if there are many, so not on an event loop. */
  synchronized void publish() {
    if (stale) {
      index = new WildcardIndex(wildcards.values());
      stale = false;
    }
  }
}
