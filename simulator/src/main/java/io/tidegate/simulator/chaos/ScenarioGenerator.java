package io.tidegate.simulator.chaos;

import static io.tidegate.simulator.chaos.Scenario.MILLI;
import static io.tidegate.simulator.chaos.Scenario.SECOND;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.simulator.chaos.Scenario.Lull;
import io.tidegate.simulator.chaos.Scenario.Policy;
import io.tidegate.simulator.chaos.Scenario.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Draws a scenario from a seed. Most scenarios are small and short; some are large, some are long.
 * The order of the draws is part of the meaning of a seed.
 */
final class ScenarioGenerator {

  private static final long[] WINDOWS = {
    1_000, 5_000, 20_000, 60_000, 300_000, 3_600_000, 86_400_000, 2_592_000_000L
  };
  private static final long[] LIMITS = {3, 10, 40, 200, 1_000};

  /** Mostly the default interval, and all counts, so that all nodes must converge to the truth. */
  private static final List<Policy> POLICIES = List.of(
      Policy.ALL,
      Policy.ALL,
      Policy.ALL,
      Policy.ALL,
      Policy.ALL_SLOWLY,
      Policy.ADAPTIVE,
      Policy.ADAPTIVE,
      Policy.FLOOR);

  private static final int RARE_SUBJECTS = 12;

  private final long seed;
  private final Random random;

  ScenarioGenerator(long seed) {
    this.seed = seed;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L); // adjacent seeds would start alike
  }

  Scenario scenario() {
    boolean large = random.nextInt(8) == 0;
    List<Integer> nodes = nodes(large);
    boolean alone = nodes.size() == 1 && random.nextBoolean();
    int parts = random.nextBoolean() ? 1 : 2 + random.nextInt(3);
    Policy policy = POLICIES.get(random.nextInt(POLICIES.size()));
    List<Subject> subjects = subjects(large);
    int fillers = large ? fillers() : 0;
    int sprayed = !large && random.nextInt(6) == 0 ? 100 + random.nextInt(400) : 0;
    int maxSeries = maxSeries(subjects.size(), sprayed, large);
    long trafficNanos = (20 + random.nextInt(70)) * SECOND;
    long lullNanos = lullNanos();
    long startNanos = startNanos(subjects, trafficNanos + lullNanos);
    Lull lull = lull(nodes, startNanos, trafficNanos, lullNanos);
    return new Scenario(
        seed,
        nodes,
        parts,
        alone,
        policy,
        maxSeries,
        sprayed,
        fillers,
        subjects,
        random.nextBoolean() ? 0 : 1 + random.nextInt(2_000),
        (1 + random.nextInt(5)) * MILLI,
        (10 + random.nextInt(90)) * MILLI,
        startNanos,
        startNanos + trafficNanos + lullNanos,
        5 + random.nextInt(60),
        lull,
        faults(nodes, startNanos, trafficNanos, lull, large));
  }

  private List<Integer> nodes(boolean large) {
    List<Integer> nodes = new ArrayList<>();
    int regions = 1 + random.nextInt(large ? 2 : 4);
    for (int i = 0; i < regions; i++) {
      nodes.add(large ? 2 + random.nextInt(2) : 1 + random.nextInt(3));
    }
    return nodes;
  }

  private List<Subject> subjects(boolean large) {
    List<Subject> subjects = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      // Favours long windows: their counts still exist when convergence is checked.
      int longer = Math.max(random.nextInt(WINDOWS.length), random.nextInt(WINDOWS.length));
      long window = WINDOWS[longer];
      subjects.add(subject("user_" + i, window, LIMITS[random.nextInt(LIMITS.length)], false));
    }
    for (int i = 0; i < (large ? RARE_SUBJECTS : 0); i++) {
      long window = WINDOWS[WINDOWS.length - 1 - random.nextInt(4)];
      subjects.add(subject("guest_" + i, window, LIMITS[random.nextInt(3)], true));
    }
    return subjects;
  }

  private static Subject subject(String identifier, long window, long limit, boolean rare) {
    return new Subject(new Series(new Scope("acme", "login", window), identifier), limit, rare);
  }

  /** More series than the loss check of a node, at 40 a second, reads in a short time. */
  private int fillers() {
    return random.nextInt(12) == 0 ? 3_000 : 450 + random.nextInt(300);
  }

  private int maxSeries(int subjects, int sprayed, boolean large) {
    if (large) {
      return 10_000;
    }
    if (sprayed > 0) {
      return 10 + random.nextInt(50);
    }
    return random.nextInt(3) == 0 ? 1 + random.nextInt(subjects) : 1_000;
  }

  /** Most scenarios have no lull; most lulls are shorter than two minutes. */
  private long lullNanos() {
    int kind = random.nextInt(200);
    if (kind < 120) {
      return 0;
    }
    if (kind < 195) {
      return (10 + random.nextInt(70)) * SECOND;
    }
    return (kind < 199 ? 300 + random.nextInt(600) : 3_600) * SECOND;
  }

  private @Nullable Lull lull(List<Integer> nodes, long startNanos, long trafficNanos, long nanos) {
    if (nanos == 0) {
      return null;
    }
    long from = startNanos + (long) ((0.2 + 0.6 * random.nextDouble()) * trafficNanos);
    int region = random.nextInt(nodes.size());
    return new Lull(from, from + nanos, region, random.nextInt(nodes.get(region)));
  }

  /** A start from which the longest window often ends during the traffic. */
  private long startNanos(List<Subject> subjects, long trafficNanos) {
    long window = subjects.stream()
        .mapToLong(subject -> subject.series().scope().windowMillis())
        .max()
        .orElseThrow();
    long end = (1 + random.nextInt(3)) * window * MILLI;
    return Math.max(0, end - (long) (random.nextDouble() * 1.5 * trafficNanos));
  }

  private List<Fault> faults(
      List<Integer> nodes, long startNanos, long trafficNanos, @Nullable Lull lull, boolean large) {
    List<FaultKind> all = List.of(FaultKind.values());
    List<Fault> faults = new ArrayList<>();
    int count = switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1, 2 -> 1; // its consequences are not excused by those of others
      default -> 1 + random.nextInt(10);
    };
    // The last fault ends before the last request in some scenarios, and after it in others.
    long faultyNanos = trafficNanos * (random.nextBoolean() ? 12 : 6) / 10;
    for (int i = 0; i < count; i++) {
      List<FaultKind> kinds = switch (random.nextInt(6)) {
        case 0, 1 -> large ? FaultKind.HIDDEN_BY_LOSS_CHECK : all;
        case 2 -> nodes.size() > 1 ? FaultKind.OF_READER : all;
        default -> all;
      };
      FaultKind kind = kinds.get(random.nextInt(kinds.size()));
      long from = startNanos + (long) (random.nextDouble() * faultyNanos);
      long longest = startNanos + faultyNanos - from;
      // Mostly short, but in time for another reader to take over.
      double shorter = kinds.equals(FaultKind.OF_READER) ? 1 : random.nextDouble();
      long duration = (long) (longest * random.nextDouble() * shorter);
      int region = random.nextInt(nodes.size());
      faults.add(new Fault(
          kind,
          afterLull(from, lull),
          afterLull(from + Math.min(duration, kind.longestNanos()), lull),
          region,
          random.nextInt(nodes.get(region)),
          random.nextDouble()));
    }
    faults.sort(Comparator.comparingLong(Fault::fromNanos));
    return List.copyOf(faults);
  }

  /** Inserts the lull: moves a time after its begin by its length. */
  private static long afterLull(long nanos, @Nullable Lull lull) {
    return lull == null || nanos < lull.fromNanos() ? nanos : nanos + lull.nanos();
  }
}
