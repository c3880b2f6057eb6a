package io.tidegate.server.activity;

import io.tidegate.model.BatchDecision;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The activity of clients on this node, from the decisions of its limiter.
 *
 * <p>Any thread may report decisions and read. {@link #endInterval} is called about once a second,
 * by one thread at a time.
 */
public final class Activity implements LimiterObserver {

  /** Namespaces that are followed; others count in the totals only. */
  static final int MAX_NAMESPACES = 50;

  /** Denials that are kept. */
  static final int MAX_DENIALS = 50;

  /** A namespace without decisions for this long makes room for others: its minutes are over. */
  private static final Duration IDLE = Duration.ofMinutes(2);

  private record NamespaceKey(String workspace, String namespace) {}

  private final Sampler sampler = new Sampler();
  private final InstantSource clock;
  private final String excludedWorkspace;
  private final Map<NamespaceKey, NamespaceActivity> namespaces = new ConcurrentHashMap<>();

  private final LongAdder allowed = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private final LongAdder degraded = new LongAdder();

  /** Newest first. Guarded by itself. */
  private final Deque<Denial> denials = new ArrayDeque<>();

  /** Whether a namespace found no place in this interval: those without decisions then leave. */
  private volatile boolean full;

  private volatile Rates rates = new Rates(0, 0, 0);

  /**
   * Decisions per second in the last interval.
   *
   * @param degraded those that should have read the origin and could not
   */
  public record Rates(double allowed, double denied, double degraded) {}

  /**
   * Creates an activity without decisions.
   *
   * @param clock the time of denials and minutes
   * @param excludedWorkspace a workspace whose decisions are not those of clients
   */
  public Activity(InstantSource clock, String excludedWorkspace) {
    this.clock = clock;
    this.excludedWorkspace = excludedWorkspace;
  }

  @Override
  public void decided(Scope scope, String identifier, Decision decision) {
    int weight = sampler.weight();
    if (weight > 0) {
      count(scope, identifier, decision, decision.allowed(), weight);
    }
  }

  @Override
  public void batchDecided(List<LimitRequest> requests, BatchDecision batch) {
    for (int i = 0; i < requests.size(); i++) {
      int weight = sampler.weight();
      if (weight > 0) {
        LimitRequest request = requests.get(i);
        Decision decision = batch.decisions().get(i);
        count(request.scope(), request.identifier(), decision, batch.allowed(), weight);
      }
    }
  }

  private void count(
      Scope scope, String identifier, Decision decision, boolean charged, int weight) {
    if (scope.workspace().equals(excludedWorkspace)) {
      return;
    }
    long now = clock.millis();
    (charged ? allowed : denied).add(weight);
    if (decision.degraded()) {
      degraded.add(weight);
    }
    NamespaceActivity namespace = namespace(scope);
    if (namespace != null) {
      namespace.count(identifier, scope.windowMillis(), decision, charged, weight, now);
    }
    if (!decision.allowed()) {
      remember(new Denial(
          now,
          scope.workspace(),
          scope.namespace(),
          identifier,
          decision.limit(),
          scope.windowMillis(),
          decision.retryAfterMillis(),
          decision.degraded()));
    }
  }

  private @Nullable NamespaceActivity namespace(Scope scope) {
    NamespaceKey key = new NamespaceKey(scope.workspace(), scope.namespace());
    NamespaceActivity known = namespaces.get(key);
    if (known != null) {
      return known;
    }
    if (namespaces.size() >= MAX_NAMESPACES) {
      full = true;
      return null;
    }
    return namespaces.computeIfAbsent(
        key, missing -> new NamespaceActivity(missing.workspace(), missing.namespace()));
  }

  private void remember(Denial denial) {
    synchronized (denials) {
      denials.addFirst(denial);
      if (denials.size() > MAX_DENIALS) {
        denials.removeLast();
      }
    }
  }

  /**
   * Ends an interval: the rates that are shown next are those of this interval.
   *
   * @param length the time since the last call
   */
  public void endInterval(Duration length) {
    double seconds = Math.max(1, length.toNanos()) / 1e9;
    long allowedNow = allowed.sumThenReset();
    long deniedNow = denied.sumThenReset();
    rates = new Rates(allowedNow / seconds, deniedNow / seconds, degraded.sumThenReset() / seconds);
    sampler.adapt(Math.round((allowedNow + deniedNow) / seconds));
    long idleSince = clock.millis() - IDLE.toMillis();
    long aheadSince = clock.millis() + IDLE.toMillis(); // the clock was set back since
    boolean crowded = full;
    full = false;
    namespaces.values().removeIf(namespace -> {
      boolean used = namespace.endInterval(seconds);
      long last = namespace.lastMillis();
      return (crowded && !used) || last < idleSince || last > aheadSince;
    });
  }

  /** The rates of the last interval, over all namespaces. */
  public Rates rates() {
    return rates;
  }

  /**
   * The namespaces with recent decisions, the busiest first.
   *
   * @param identifiers maximum number of identifiers in each list of a namespace
   */
  public List<NamespaceSnapshot> namespaces(int identifiers) {
    long now = clock.millis();
    return namespaces.values().stream()
        .map(namespace -> namespace.snapshot(identifiers, now))
        .sorted(Comparator.comparingDouble(NamespaceSnapshot::decisionsPerSecond)
            .reversed()
            .thenComparing(NamespaceSnapshot::workspace)
            .thenComparing(NamespaceSnapshot::namespace))
        .toList();
  }

  /**
   * The window lengths in use in a namespace, with the limit of an identifier: the lowest one that
   * it was lately compared with, or the one of all others; empty if it is not known.
   */
  public SortedMap<Long, OptionalLong> limits(
      String workspace, String namespace, String identifier) {
    NamespaceActivity known = namespaces.get(new NamespaceKey(workspace, namespace));
    return known == null ? new TreeMap<>() : known.limits(identifier);
  }

  /** Recent denials, the newest first; a sample of them if there are many. */
  public List<Denial> denials() {
    synchronized (denials) {
      return new ArrayList<>(denials);
    }
  }
}
