package io.tidegate.server.catalog;

import io.tidegate.catalog.LimitOverride;
import java.util.ArrayList;
import java.util.Comparator;
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

  /** A wildcard and the override that has it. */
  private record Candidate(Wildcard wildcard, LimitOverride override) {

    static final Comparator<Candidate> ORDER = Comparator.comparingInt(
            (Candidate candidate) -> -candidate.wildcard.literals())
        .thenComparing(candidate -> candidate.override.identifier());
  }

  private static final Candidate[] NONE = {};

  /** Tombstones among them, so that news that come late change nothing. */
  private final Map<String, LimitOverride> byPattern = new ConcurrentHashMap<>();

  private final NavigableMap<String, LimitOverride> byId = new ConcurrentSkipListMap<>();

  /** In the order in which they are tried. Replaced as a whole by {@link #apply}. */
  private volatile Candidate[] wildcards = NONE;

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
    for (Candidate candidate : wildcards) {
      if (candidate.wildcard.matches(identifier)) {
        return candidate.override;
      }
    }
    return null;
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

  /** How many of them have to be tried one after the other. */
  public int wildcards() {
    return wildcards.length;
  }

  /**
   * Takes note of what was read or edited, unless something newer is known.
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
      wildcards = with(override);
    }
    return known == null;
  }

  private Candidate[] with(LimitOverride changed) {
    List<Candidate> candidates = new ArrayList<>();
    for (Candidate candidate : wildcards) {
      if (!candidate.override.identifier().equals(changed.identifier())) {
        candidates.add(candidate);
      }
    }
    if (!changed.deleted()) {
      candidates.add(new Candidate(Wildcard.of(changed.identifier()), changed));
    }
    candidates.sort(Candidate.ORDER);
    return candidates.toArray(Candidate[]::new);
  }
}
