package io.tidegate.simulator.chaos;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a seed stands for: who is there, what is asked for, and what goes wrong when.
 *
 * @param seed what all follows from
 * @param nodes how many nodes each region has
 * @param parts how many parts each origin has, as a cluster has masters
 * @param alone whether there is one region, and no database
 * @param policy what regions tell each other
 * @param maxSeries how many series a node may have
 * @param sprayed how many identifiers somebody sprays the nodes with
 * @param fillers how many series each node is asked for once, at first: more than its patrol covers
 *     in the time of a run, so that it relies on what it was told
 * @param subjects what is limited
 * @param clockOffset by how many milliseconds clocks are wrong at first, at most
 * @param slowestOriginNanos the most that a message to an origin takes, one way, if nothing is
 *     wrong
 * @param slowestDatabaseNanos the same of the database
 * @param startNanos when the first node starts
 * @param endNanos when nothing is asked for any more
 * @param requestsPerSecond how much is asked for
 * @param lull a quiet time; null if there is none
 * @param faults what goes wrong, by time
 */
record Scenario(
    long seed,
    List<Integer> nodes,
    int parts,
    boolean alone,
    ChaosPolicy policy,
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

  /**
   * A series, and what it is asked for.
   *
   * @param series the series
   * @param limit what most ask for
   * @param rare whether it is asked for seldom
   */
  record Subject(Series series, long limit, boolean rare) {}

  /**
   * A quiet time, in which one node alone is asked, now and then.
   *
   * @param fromNanos when it begins
   * @param untilNanos when it ends
   * @param region the region of the node
   * @param node its number in the region
   */
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

  static final long SPRAYED_LIMIT = 10;

  static final Scope FILLERS = new Scope("acme", "filler", 86_400_000);
  static final long FILLER_LIMIT = 4;

  static Scenario of(long seed) {
    return new ScenarioGenerator(seed).plan();
  }

  static Series filler(int number) {
    return new Series(FILLERS, "filler_" + number);
  }

  /** How many series are asked for from the beginning of each fault of a part of an origin. */
  static final int NEWCOMERS = 40;

  static final long NEWCOMER_LIMIT = 100;

  /** How many series are asked for first while a part of an origin fails: on all of its parts. */
  int newcomers() {
    boolean haveRoom = parts > 1 && maxSeries >= subjects.size() + sprayed + 10 * NEWCOMERS;
    return haveRoom
        ? NEWCOMERS
            * (int) faults.stream().filter(fault -> fault.kind().isOfPart()).count()
        : 0;
  }

  static Series newcomer(Fault fault, int number) {
    return new Series(FILLERS, "newcomer_" + fault.fromNanos() + "_" + number);
  }

  /** How many series there are, at most. */
  int series() {
    return subjects.size() + sprayed + fillers + newcomers();
  }

  /** Whether nodes may not have room for all series. */
  boolean isCrowded() {
    return maxSeries < subjects.size() + sprayed + fillers; // newcomers come where there is room
  }

  /** Whether the regions exchange the counts of a window: it has to be long enough to profit. */
  boolean isPublished(Scope scope) {
    return scope.windowMillis() >= policy.pushPolicy().shortestWindow().toMillis();
  }

  /** What a region need not tell of what it counted in a series. */
  long untold(Series series, long count) {
    if (!isPublished(series.scope())) {
      return count;
    }
    long limit = subjects.stream()
        .filter(subject -> subject.series().equals(series))
        .mapToLong(Subject::limit)
        .max()
        .orElse(SPRAYED_LIMIT);
    return policy.untold(2 * limit, count); // some ask for twice as much
  }

  static String regionName(int number) {
    return "region_" + number;
  }

  boolean has(Fault.Kind kind) {
    return had(kind, Long.MAX_VALUE);
  }

  /** Whether something of a kind has happened by a time. */
  boolean had(Fault.Kind kind, long nowNanos) {
    return faults.stream().anyMatch(fault -> fault.kind() == kind && fault.fromNanos() <= nowNanos);
  }

  /** Whether clocks are set back or ahead. */
  boolean clocksAreSet() {
    return faults.stream().anyMatch(fault -> fault.stepMillis() != 0);
  }

  /** Whether nodes may disagree about the time. */
  boolean clocksDiffer(long nowNanos) {
    boolean differ = clockOffset > 0;
    for (Fault fault : faults) {
      differ |= fault.kind().isOfClocks() && fault.fromNanos() <= nowNanos;
    }
    return differ;
  }
}
