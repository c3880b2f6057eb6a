package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.server.observe.Dependency.State;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Readiness of the node and state of its dependencies.
 *
 * <p>A node is not ready before it has read its catalog once, nor while it stops. Between the two
 * it stays ready whatever fails, because it decides from memory: counts and catalog edits then
 * arrive late, rules are old, and the status is "degraded". Any thread may report and read.
 */
public final class Health {

  /** Longer than a minute, the interval at which the limiter reports a conflict while it lasts. */
  private static final Duration CONFLICT_MEMORY = Duration.ofSeconds(90);

  private final InstantSource clock;
  private final Dependency catalog;
  private final Dependency origin;
  private final Dependency globalCounters;
  private final RuleHealth rules;

  /** Whether the catalog has been read; set after the two fields below, and never cleared. */
  private volatile boolean catalogKnown;

  private volatile long catalogReadAtMillis;
  private volatile long catalogVersion;
  private volatile boolean stopping;
  private final LongAdder catalogErrors = new LongAdder();

  /** When a conflict was last reported; null if never. */
  private volatile @Nullable Instant conflictAt;

  /**
   * The health of a node that is starting.
   *
   * @param clock measures how long a dependency has been degraded
   */
  public Health(InstantSource clock) {
    this.clock = clock;
    this.catalog = new Dependency(clock);
    this.origin = new Dependency(clock);
    this.globalCounters = new Dependency(clock);
    this.rules = new RuleHealth(clock);
    catalog.configured();
  }

  /**
   * Reports a read of the catalog.
   *
   * @param version the version of the catalog, which grows with each change
   */
  public void catalogRead(long version) {
    catalogVersion = version;
    catalogReadAtMillis = clock.millis();
    catalogKnown = true;
    catalog.succeeded(Access.READ);
  }

  /**
   * Reports a failed read of the catalog. The last copy stays in use.
   *
   * @param failure the cause; its message is not shown
   */
  public void catalogFailed(Throwable failure) {
    catalogErrors.increment();
    catalog.failed(Access.READ, failure);
  }

  /** Wraps the configured origin so that the reasons of its failures are shown. */
  public RegionalOrigin watch(RegionalOrigin origin) {
    this.origin.configured();
    return new WatchedOrigin(origin, this.origin);
  }

  /** Wraps the configured global counters so that the reasons of their failures are shown. */
  public GlobalCounters watch(GlobalCounters counters) {
    globalCounters.configured();
    return new WatchedGlobalCounters(counters, globalCounters);
  }

  /** Receives the outcome of the limiter's calls. */
  LimiterObserver observer() {
    return new CallOutcomes(this);
  }

  /** State of the rule files. */
  public RuleHealth rules() {
    return rules;
  }

  /** Reports that another region uses the name of this one; each then hides the other's counts. */
  void regionNameConflict() {
    conflictAt = clock.instant();
  }

  /** Whether a conflict was reported within {@link #CONFLICT_MEMORY}. */
  boolean hasRegionNameConflict() {
    Instant reported = conflictAt;
    return reported != null && clock.instant().isBefore(reported.plus(CONFLICT_MEMORY));
  }

  /** Marks the node as stopping, so that load balancers send it no more requests. */
  public void stopping() {
    stopping = true;
  }

  /** Whether the node should receive requests. */
  public boolean isReady() {
    return catalogKnown && !stopping;
  }

  /** The status in one word: "starting", "ok", "degraded" or "stopping". */
  public String status() {
    if (stopping) {
      return "stopping";
    }
    if (!catalogKnown) {
      return "starting";
    }
    return hasRegionNameConflict()
            || rules.isRejected()
            || dependencies().keySet().stream().anyMatch(this::isDegraded)
        ? "degraded"
        : "ok";
  }

  Dependency origin() {
    return origin;
  }

  Dependency globalCounters() {
    return globalCounters;
  }

  /** Whether the node exchanges counts with other regions. */
  boolean hasGlobalCounters() {
    return globalCounters.state().status() != Dependency.Status.UNUSED;
  }

  /**
   * State of a dependency, for readers outside of this package.
   *
   * @param status "ok", "degraded", "unused" or "unknown"
   * @param reason why the last call failed, as a short phrase; null unless degraded
   * @param degradedMillis time since the first failure; 0 unless degraded
   */
  public record DependencyState(String status, @Nullable String reason, long degradedMillis) {}

  /** All dependencies by name, in the order of /ready. */
  public Map<String, DependencyState> dependencyStates() {
    Map<String, DependencyState> states = new LinkedHashMap<>();
    dependencies()
        .forEach((name, state) -> states.put(
            name,
            new DependencyState(
                Registry.label(state.status()), state.reason(), state.degradedMillis())));
    return states;
  }

  /** All dependencies by name, in the order of /ready. */
  Map<String, State> dependencies() {
    Map<String, State> states = new LinkedHashMap<>();
    states.put("catalog", catalog.state());
    states.put("origin", origin.state());
    states.put("global_counters", globalCounters.state());
    return states;
  }

  long catalogVersion() {
    return catalogVersion;
  }

  /** Number of failed reads of the catalog. */
  long catalogErrors() {
    return catalogErrors.sum();
  }

  /** Seconds since the last read of the catalog; NaN before the first. */
  double secondsSinceCatalogRead() {
    return catalogKnown ? (clock.millis() - catalogReadAtMillis) / 1000.0 : Double.NaN;
  }

  /** Whether the last read or the last write of a dependency failed. */
  boolean isDegraded(String dependency) {
    State state = dependencies().get(dependency);
    return state != null && state.status() == Dependency.Status.DEGRADED;
  }
}
