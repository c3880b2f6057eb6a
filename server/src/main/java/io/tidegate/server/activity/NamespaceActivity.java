package io.tidegate.server.activity;

import io.tidegate.model.Decision;
import io.tidegate.server.activity.Minute.LastLimit;
import java.util.SortedMap;
import java.util.TreeMap;

/** The activity in one namespace. Any thread may use it. */
final class NamespaceActivity {

  /** Window lengths that are kept; a namespace rarely has more than two. */
  private static final int MAX_WINDOWS = 10;

  private final String workspace;
  private final String namespace;

  private final Minute requests = new Minute();
  private final Minute denials = new Minute();

  /** The last limit by window length, of any identifier. */
  private final SortedMap<Long, Long> limits = new TreeMap<>();

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
    LastLimit limit = new LastLimit(decision.limit(), windowMillis);
    requests.add(identifier, limit, weight, nowMillis);
    if (charged) {
      allowed += weight;
    } else {
      denied += weight;
      denials.add(identifier, limit, weight, nowMillis);
    }
    if (limits.size() < MAX_WINDOWS || limits.containsKey(windowMillis)) {
      limits.put(windowMillis, decision.limit());
    }
    lastMillis = nowMillis;
  }

  /** Ends an interval: the rates of the next snapshot are those of this interval. */
  synchronized void endInterval(double seconds) {
    allowedPerSecond = allowed / seconds;
    deniedPerSecond = denied / seconds;
    allowed = 0;
    denied = 0;
  }

  /** Time of the last decision. */
  synchronized long lastMillis() {
    return lastMillis;
  }

  /** The last limit by window length. */
  synchronized SortedMap<Long, Long> limits() {
    return new TreeMap<>(limits);
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
