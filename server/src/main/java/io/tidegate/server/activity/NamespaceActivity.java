package io.tidegate.server.activity;

import io.tidegate.model.Decision;
import io.tidegate.server.activity.Minute.RecentLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** The activity in one namespace. Any thread may use it. */
final class NamespaceActivity {

  /** Window lengths that are kept, those in use last; a namespace rarely has more than two. */
  private static final int MAX_WINDOWS = 10;

  /** The value of a window that is used with several limits, such as those of plans. */
  private static final long SEVERAL = -1;

  private final String workspace;
  private final String namespace;

  private final Minute requests = new Minute();
  private final Minute denials = new Minute();

  /** The limit by window length, or {@link #SEVERAL}; the window in use last is at the end. */
  private final Map<Long, Long> limits = new LinkedHashMap<>(MAX_WINDOWS, 0.75f, true);

  private long allowed;
  private long denied;
  private double allowedPerSecond;
  private double deniedPerSecond;
  private long lastMillis;

  NamespaceActivity(String workspace, String namespace) {
    this.workspace = workspace;
    this.namespace = namespace;
  }

  synchronized void count(
      String identifier,
      long windowMillis,
      Decision decision,
      boolean charged,
      int weight,
      long nowMillis) {
    RecentLimit limit = new RecentLimit(decision.limit(), windowMillis);
    requests.add(identifier, limit, weight, nowMillis);
    if (charged) {
      allowed += weight;
    } else {
      denied += weight;
    }
    if (!decision.allowed()) { // in a denied batch, others may have had room
      denials.add(identifier, limit, weight, nowMillis);
    }
    limits.merge(windowMillis, decision.limit(), (one, same) -> one.equals(same) ? one : SEVERAL);
    if (limits.size() > MAX_WINDOWS) {
      limits.remove(limits.keySet().iterator().next());
    }
    lastMillis = nowMillis;
  }

  /**
   * Ends an interval: the rates of the next snapshot are those of this interval.
   *
   * @return whether it had decisions
   */
  synchronized boolean endInterval(double seconds) {
    boolean used = allowed + denied > 0;
    allowedPerSecond = allowed / seconds;
    deniedPerSecond = denied / seconds;
    allowed = 0;
    denied = 0;
    return used;
  }

  /** Time of the last decision. */
  synchronized long lastMillis() {
    return lastMillis;
  }

  /**
   * The window lengths in use, with the limit of an identifier: the lowest one that it was lately
   * compared with, or the one of all others; empty if it is not known.
   */
  synchronized SortedMap<Long, OptionalLong> limits(String identifier) {
    SortedMap<Long, OptionalLong> known = new TreeMap<>();
    limits.forEach((window, limit) ->
        known.put(window, limit == SEVERAL ? OptionalLong.empty() : OptionalLong.of(limit)));
    RecentLimit own = requests.recentLimit(identifier);
    if (own != null) {
      known.put(own.windowMillis(), OptionalLong.of(own.limit()));
    }
    return known;
  }

  synchronized NamespaceSnapshot snapshot(int identifiers, long nowMillis) {
    return new NamespaceSnapshot(
        workspace,
        namespace,
        allowedPerSecond,
        deniedPerSecond,
        requests.top(identifiers, nowMillis),
        denials.top(identifiers, nowMillis));
  }
}
