package io.tidegate.server.observe;

import io.tidegate.server.observe.Dependency.Call;
import io.tidegate.server.observe.Dependency.State;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Whether the node can serve, and how what it depends on is doing.
 *
 * <p>A node that has read its catalog once can decide from memory, so it stays ready whatever else
 * fails: then counts converge later, and new keys come later, and it says "degraded". It is not
 * ready before, and not while it stops.
 */
public final class Health {

  /** The limiter reports a conflict once a minute while it lasts. */
  private static final Duration CONFLICT_MEMORY = Duration.ofSeconds(90);

  private final InstantSource clock;
  private final Dependency catalog;
  private final Dependency redis;
  private final Dependency mysql;
  private volatile boolean catalogKnown;
  private volatile boolean stopping;
  private volatile long catalogReadAtMillis;
  private volatile long catalogVersion;
  private final LongAdder catalogErrors = new LongAdder();

  /** When a conflict was last reported; null if never. */
  private volatile @Nullable Instant conflictAt;

  /**
   * The health of a node that is starting.
   *
   * @param clock tells since when something is degraded
   * @param redis whether there is a Redis by configuration
   * @param mysql whether there are global counters by configuration
   */
  public Health(InstantSource clock, boolean redis, boolean mysql) {
    this.clock = clock;
    this.catalog = Dependency.configured(clock, true);
    this.redis = Dependency.configured(clock, redis);
    this.mysql = Dependency.configured(clock, mysql);
  }

  /**
   * The catalog was read.
   *
   * @param version grows with each change of the catalog
   */
  public void catalogRead(long version) {
    catalogVersion = version;
    catalogReadAtMillis = clock.millis();
    catalogKnown = true;
    catalog.worked(Call.READ);
  }

  /**
   * The catalog could not be read; what was read before still holds.
   *
   * @param failure the cause; its message is not shown
   */
  public void catalogFailed(Throwable failure) {
    catalogErrors.increment();
    catalog.failed(Call.READ, failure);
  }

  /** The same origin, whose failures become the reasons that are shown. */
  public RegionalOrigin watch(RegionalOrigin origin) {
    return new WatchedOrigin(origin, redis);
  }

  /** The same counters, whose failures become the reasons that are shown. */
  public GlobalCounters watch(GlobalCounters counters) {
    return new WatchedGlobalCounters(counters, mysql);
  }

  /** Another region uses the name of this one, so that each hides the other's counts. */
  void regionNameConflict() {
    conflictAt = clock.instant();
  }

  /** Whether that was reported lately. */
  boolean hasRegionNameConflict() {
    Instant reported = conflictAt;
    return reported != null && clock.instant().isBefore(reported.plus(CONFLICT_MEMORY));
  }

  /** The node has begun to stop: nobody should send it more. */
  public void stopping() {
    stopping = true;
  }

  /** Whether the node can serve. */
  public boolean isReady() {
    return catalogKnown && !stopping;
  }

  /** In one word: "starting", "ok", "degraded" or "stopping". */
  public String status() {
    if (stopping) {
      return "stopping";
    }
    if (!catalogKnown) {
      return "starting";
    }
    return hasRegionNameConflict() || dependencies().values().stream().anyMatch(Health::isDegraded)
        ? "degraded"
        : "ok";
  }

  Dependency redis() {
    return redis;
  }

  Dependency mysql() {
    return mysql;
  }

  /** All dependencies by name, in the order in which a reader wants them. */
  Map<String, State> dependencies() {
    Map<String, State> states = new LinkedHashMap<>();
    states.put("catalog", catalog.state());
    states.put("redis", redis.state());
    states.put("mysql", mysql.state());
    return states;
  }

  long catalogVersion() {
    return catalogVersion;
  }

  /** How often it could not be read. */
  long catalogErrors() {
    return catalogErrors.sum();
  }

  /** How long ago the catalog was read; NaN if never. */
  double secondsSinceCatalogRead() {
    return catalogKnown ? (clock.millis() - catalogReadAtMillis) / 1000.0 : Double.NaN;
  }

  private static boolean isDegraded(State state) {
    return state.status() == Dependency.Status.DEGRADED;
  }
}
