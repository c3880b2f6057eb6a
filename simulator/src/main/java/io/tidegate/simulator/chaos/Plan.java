package io.tidegate.simulator.chaos;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * What a seed stands for: who is there, what is asked for, and what goes wrong when.
 *
 * @param seed what all follows from
 * @param nodes how many nodes each region has
 * @param alone whether there is one region, and no database
 * @param policy what regions tell each other
 * @param maxSeries how many series a node may have
 * @param sprayed how many identifiers somebody sprays the nodes with
 * @param subjects what is limited
 * @param clockOffset by how many milliseconds clocks are wrong at first, at most
 * @param slowestOriginNanos the most that a message to an origin takes, one way, if nothing is
 *     wrong
 * @param slowestDatabaseNanos the same of the database
 * @param startNanos when the first node starts
 * @param endNanos when nothing is asked for any more
 * @param requestsPerSecond how much is asked for
 * @param faults what goes wrong, by time
 */
record Plan(
    long seed,
    List<Integer> nodes,
    boolean alone,
    Policy policy,
    int maxSeries,
    int sprayed,
    List<Subject> subjects,
    int clockOffset,
    long slowestOriginNanos,
    long slowestDatabaseNanos,
    long startNanos,
    long endNanos,
    int requestsPerSecond,
    List<Fault> faults) {

  /**
   * A series, and what it is asked for.
   *
   * @param series the series
   * @param limit what most ask for
   */
  record Subject(Series series, long limit) {}

  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;

  static final long SPRAYED_LIMIT = 10;

  private static final long[] WINDOWS = {1_000, 5_000, 20_000, 60_000, 300_000, 3_600_000};
  private static final long[] LIMITS = {3, 10, 40, 200, 1_000};

  static Plan of(long seed) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L); // neighbours would begin alike
    List<Integer> nodes = new ArrayList<>();
    int regions = 1 + random.nextInt(4);
    for (int i = 0; i < regions; i++) {
      nodes.add(1 + random.nextInt(3));
    }
    boolean alone = regions == 1 && random.nextBoolean();
    Policy policy = Policy.values()[Math.max(0, random.nextInt(5) - 2)]; // mostly all
    List<Subject> subjects = subjects(random);
    int sprayed = random.nextInt(6) == 0 ? 100 + random.nextInt(400) : 0;
    int maxSeries = sprayed > 0
        ? 10 + random.nextInt(50)
        : random.nextInt(3) == 0 ? 1 + random.nextInt(subjects.size()) : 1_000;
    long trafficNanos = (20 + random.nextInt(70)) * SECOND;
    long startNanos = startNanos(random, subjects, trafficNanos);
    return new Plan(
        seed,
        nodes,
        alone,
        policy,
        maxSeries,
        sprayed,
        subjects,
        random.nextBoolean() ? 0 : 1 + random.nextInt(2_000),
        (1 + random.nextInt(5)) * MILLI,
        (10 + random.nextInt(90)) * MILLI,
        startNanos,
        startNanos + trafficNanos,
        5 + random.nextInt(60),
        faults(random, nodes, startNanos, trafficNanos));
  }

  private static List<Subject> subjects(Random random) {
    List<Subject> subjects = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      // The long ones are more often drawn: what is counted in them can be seen in the end.
      long window =
          WINDOWS[Math.max(random.nextInt(WINDOWS.length), random.nextInt(WINDOWS.length))];
      Scope scope = new Scope("acme", "login", window);
      subjects.add(
          new Subject(new Series(scope, "user_" + i), LIMITS[random.nextInt(LIMITS.length)]));
    }
    return subjects;
  }

  /** Often so that the longest window ends while requests come. */
  private static long startNanos(Random random, List<Subject> subjects, long trafficNanos) {
    long window = subjects.stream()
        .mapToLong(subject -> subject.series().scope().windowMillis())
        .max()
        .orElseThrow();
    long end = (1 + random.nextInt(3)) * window * MILLI;
    return Math.max(0, end - (long) (random.nextDouble() * 1.5 * trafficNanos));
  }

  private static List<Fault> faults(
      Random random, List<Integer> nodes, long startNanos, long trafficNanos) {
    List<Fault> faults = new ArrayList<>();
    int count = random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(10);
    // Sometimes all is well again before the last request, sometimes only after it.
    long faultyNanos = trafficNanos * (random.nextBoolean() ? 12 : 6) / 10;
    for (int i = 0; i < count; i++) {
      Fault.Kind kind = Fault.Kind.values()[random.nextInt(Fault.Kind.values().length)];
      long from = startNanos + (long) (random.nextDouble() * faultyNanos);
      long longest = startNanos + faultyNanos - from;
      // Most are short; some last.
      long lasts = (long) (longest * random.nextDouble() * random.nextDouble());
      int region = random.nextInt(nodes.size());
      faults.add(new Fault(
          kind,
          from,
          kind.isMomentary() ? from : from + lasts,
          region,
          random.nextInt(nodes.get(region)),
          random.nextDouble()));
    }
    faults.sort(Comparator.comparingLong(Fault::fromNanos));
    return List.copyOf(faults);
  }

  /** When the last request has been heard of, and the consequences of all faults are over. */
  long calmNanos() {
    long heard = endNanos + 2 * Guarantees.globalLagNanos(this);
    return faults.stream().mapToLong(fault -> fault.overNanos(this)).reduce(heard, Math::max);
  }

  /** Whether nodes may not have room for all series. */
  boolean isCrowded() {
    return maxSeries < subjects.size() + sprayed;
  }

  /** When the trouble began whose consequences may still be felt; now, if there is none. */
  long troubleBegan(long nowNanos) {
    long began = nowNanos;
    for (int i = faults.size() - 1; i >= 0; i--) {
      Fault fault = faults.get(i);
      if (fault.fromNanos() <= nowNanos && fault.overNanos(this) >= began) {
        began = fault.fromNanos();
      }
    }
    return nowNanos - startNanos < SECOND ? startNanos : began; // the first pulls are under way
  }

  /** What a region need not tell of what it counted in a series. */
  long untold(Series series, long count) {
    if (series.scope().windowMillis() < policy.pushPolicy().shortestWindow().toMillis()) {
      return count; // counted per region
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

  /** Whether a node's way to its origin, and the origin, have been well for a while. */
  boolean reachedOrigin(Fault crash, long forNanos) {
    return faults.stream()
        .allMatch(fault -> fault == crash
            || fault.region() != crash.region()
            || !fault.kind().concernsOrigin()
            || fault.fromNanos() > crash.fromNanos()
            || fault.untilNanos() + forNanos < crash.fromNanos());
  }

  boolean has(Fault.Kind kind) {
    return had(kind, Long.MAX_VALUE);
  }

  /** Whether something of a kind has happened by a time. */
  boolean had(Fault.Kind kind, long nowNanos) {
    return faults.stream().anyMatch(fault -> fault.kind() == kind && fault.fromNanos() <= nowNanos);
  }
}
