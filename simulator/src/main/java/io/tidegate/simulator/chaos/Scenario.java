package io.tidegate.simulator.chaos;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.spi.PushPolicy;
import java.time.Duration;
import java.util.List;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a seed determines: regions and nodes, traffic and faults.
 *
 * @param nodes number of nodes of each region
 * @param parts number of parts of each origin, like the masters of a cluster
 * @param alone whether there is one region without a database
 * @param sprayed number of identifiers that are used at random, to force evictions
 * @param fillers number of series that each node uses once at the start. The loss check does not
 *     reach all of them during a run, so a node depends on the answers to its own messages
 * @param subjects series of the usual traffic
 * @param clockOffset maximum initial error of clocks in milliseconds
 * @param slowestOriginNanos longest one-way delay to a healthy origin
 * @param slowestDatabaseNanos longest one-way delay to the healthy database
 * @param lull quiet period; null if there is none
 */
record Scenario(
    long seed,
    List<Integer> nodes,
    int parts,
    boolean alone,
    Policy policy,
    int maxSeries,
    int sprayed,
    int fillers,
    List<Subject> subjects,
    int clockOffset,
    long slowestOriginNanos,
    long slowestDatabaseNanos,
    long startNanos,
    long endNanos,
    int requestsPerSecond,
    @Nullable Lull lull,
    List<Fault> faults) {

  /** A push policy, with the counts that it may leave unpushed. */
  enum Policy {
    /** Pushes everything, of windows of any length, so that all nodes converge to the truth. */
    ALL(pushAll(PushPolicy.adaptive().interval()), (limit, count) -> 0),
    ALL_SLOWLY(pushAll(Duration.ofSeconds(1)), (limit, count) -> 0),
    ADAPTIVE(PushPolicy.adaptive(), (limit, count) -> Math.max((limit + 19) / 20, count / 2)),
    FLOOR(PushPolicy.floor(0.2, Duration.ofSeconds(2)), (limit, count) -> (limit + 4) / 5);

    @SuppressWarnings("ImmutableEnumChecker") // push policies are immutable
    final PushPolicy pushPolicy;

    /**
     * Most tokens that a region may leave unpushed, by the highest limit of requests and its count.
     */
    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    final LongBinaryOperator maxUnpushed;

    Policy(PushPolicy pushPolicy, LongBinaryOperator maxUnpushed) {
      this.pushPolicy = pushPolicy;
      this.maxUnpushed = maxUnpushed;
    }

    private static PushPolicy pushAll(Duration interval) {
      return PushPolicy.floor(0, interval).withShortestWindow(Duration.ZERO);
    }

    /** Whether regions leave nothing unpushed. */
    boolean pushesAll() {
      return this == ALL || this == ALL_SLOWLY;
    }
  }

  /** A series of the usual traffic, with the limit of most requests. */
  record Subject(Series series, long limit, boolean rare) {}

  /** A quiet period, in which one node of a region receives occasional requests. */
  record Lull(long fromNanos, long untilNanos, int region, int node) {

    long nanos() {
      return untilNanos - fromNanos;
    }

    boolean includes(long nanos) {
      return nanos >= fromNanos && nanos < untilNanos;
    }
  }

  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;

  static final Scope FILLERS = new Scope("acme", "filler", 86_400_000);
  static final long FILLER_LIMIT = 4;
  static final long SPRAYED_LIMIT = 10;
  static final long NEWCOMER_LIMIT = 100;

  /** Number of new series that each fault of one part of an origin adds to the traffic. */
  static final int NEWCOMERS = 40;

  static Scenario of(long seed) {
    return new ScenarioGenerator(seed).scenario();
  }

  static Series filler(int number) {
    return new Series(FILLERS, "filler_" + number);
  }

  static Series newcomer(Fault fault, int number) {
    return new Series(FILLERS, "newcomer_" + fault.fromNanos() + "_" + number);
  }

  /** Number of series, on all parts, that are used for the first time while one part fails. */
  int newcomers() {
    boolean haveRoom = parts > 1 && maxSeries >= subjects.size() + sprayed + 10 * NEWCOMERS;
    long faultyParts =
        faults.stream().filter(fault -> fault.has(FaultTrait.ONE_PART)).count();
    return haveRoom ? NEWCOMERS * (int) faultyParts : 0;
  }

  /** Maximum number of series in use. */
  int series() {
    return subjects.size() + sprayed + fillers + newcomers();
  }

  /** Whether nodes may have to evict series. Newcomers are only used where they have room. */
  boolean isCrowded() {
    return maxSeries < subjects.size() + sprayed + fillers;
  }

  /** Whether regions exchange the counts of windows of this length. */
  boolean isPushed(Scope scope) {
    return scope.windowMillis() >= policy.pushPolicy.shortestWindow().toMillis();
  }

  /** Most tokens of a regional count that the region may leave unpushed. */
  long maxUnpushed(Series series, long count) {
    if (!isPushed(series.scope())) {
      return count;
    }
    long limit = subjects.stream()
        .filter(subject -> subject.series().equals(series))
        .mapToLong(Subject::limit)
        .max()
        .orElse(SPRAYED_LIMIT);
    // Some requests have twice the usual limit.
    return policy.maxUnpushed.applyAsLong(2 * limit, count);
  }

  List<Subject> busy() {
    return subjects.stream().filter(subject -> !subject.rare).toList();
  }

  List<Subject> rare() {
    return subjects.stream().filter(Subject::rare).toList();
  }

  static String regionName(int number) {
    return "region_" + number;
  }

  /** Whether a fault with this trait has begun by the given time. */
  boolean had(FaultTrait trait, long nowNanos) {
    return faults.stream().anyMatch(fault -> fault.has(trait) && fault.fromNanos() <= nowNanos);
  }

  boolean has(FaultTrait trait) {
    return had(trait, Long.MAX_VALUE);
  }

  /** Whether counts that only an evicting node had may be lost with its origin. */
  boolean losesEvictedCounts(long nowNanos) {
    return isCrowded() && had(FaultTrait.LOSES_ORIGIN_COUNTS, nowNanos);
  }

  /** Whether a fault sets clocks forward or back. */
  boolean clocksAreSet() {
    return faults.stream().anyMatch(fault -> fault.stepMillis() != 0);
  }

  /** Whether the clocks of nodes may differ. */
  boolean clocksDiffer(long nowNanos) {
    return clockOffset > 0 || had(FaultTrait.MOVES_CLOCK, nowNanos);
  }
}
