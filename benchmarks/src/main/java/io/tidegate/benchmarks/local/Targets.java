package io.tidegate.benchmarks;

import io.tidegate.report.Spread;
import io.tidegate.report.Verdict;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What Tidegate is meant to reach, held against what was measured. */
final class LocalTargets {

  private static final double MANY_KEYS_RATIO = 2.0;
  private static final double HOT_KEY_RATIO = 1.3;
  private static final int BYTES_PER_SERIES = 330;

  /** Below it are the odd objects that the JVM and JMH make beside the benchmark. */
  private static final double NO_BYTES = 0.5;

  private LocalTargets() {}

  /** How long somebody else takes for a decision, as a multiple of what Tidegate does. */
  record Comparison(Scenario scenario, int threads, Competitor competitor, Spread ratio) {}

  /** A verdict on every target that was measured. */
  static List<Verdict> verdicts(LocalFigures figures) {
    List<Verdict> verdicts = new ArrayList<>();
    List<Competitor> bucketLike = List.of(Competitor.BUCKET4J, Competitor.RESILIENCE4J);
    for (int threads = 1; threads <= 2; threads++) {
      for (Competitor competitor : bucketLike) {
        atLeast(MANY_KEYS_RATIO, figures, Scenario.ZIPF, threads, competitor)
            .ifPresent(verdicts::add);
      }
    }
    for (Competitor competitor : bucketLike) {
      atLeast(HOT_KEY_RATIO, figures, Scenario.HOT, 1, competitor).ifPresent(verdicts::add);
    }
    for (Competitor competitor : List.of(Competitor.GUAVA, Competitor.CAFFEINE)) {
      neverSlower(figures, competitor).ifPresent(verdicts::add);
    }
    noAllocation(figures).ifPresent(verdicts::add);
    memory(figures).ifPresent(verdicts::add);
    return verdicts;
  }

  /** Where a competitor was faster, the greatest loss first. */
  static List<Comparison> losses(LocalFigures figures) {
    return comparisons(figures)
        .filter(comparison -> comparison.ratio().median() < 1)
        .sorted(Comparator.comparingDouble(loss -> loss.ratio().median()))
        .toList();
  }

  private static Optional<Verdict> atLeast(
      double wanted, LocalFigures figures, Scenario scenario, int threads, Competitor competitor) {
    String target = "%s, %s: at least %sx as fast as %s"
        .formatted(scenario.label(), Words.threads(threads), wanted, competitor.label());
    return figures
        .ratio(scenario, threads, competitor)
        .map(ratio -> new Verdict(target, ratio.median() >= wanted, Words.ratio(ratio)));
  }

  private static Optional<Verdict> neverSlower(LocalFigures figures, Competitor competitor) {
    return comparisons(figures)
        .filter(comparison -> comparison.competitor() == competitor && comparison.threads() == 1)
        .min(Comparator.comparingDouble(comparison -> comparison.ratio().median()))
        .map(worst -> new Verdict(
            "1 thread: never slower than " + competitor.label(),
            worst.ratio().median() >= 1,
            "%s at worst, for %s"
                .formatted(Words.ratio(worst.ratio()), worst.scenario().label())));
  }

  private static Optional<Verdict> noAllocation(LocalFigures figures) {
    return figures.decisions().stream()
        .filter(decision -> decision.competitor() == Competitor.TIDEGATE
            || decision.competitor() == Competitor.TIDEGATE_GIVEN_TIME)
        .map(decision -> decision.cost().bytes())
        .max(Comparator.naturalOrder())
        .map(bytes -> new Verdict(
            "0 B per decision through a gate",
            bytes < NO_BYTES,
            String.format(Locale.ROOT, "%.3f B at most", bytes)));
  }

  private static Optional<Verdict> memory(LocalFigures figures) {
    return Optional.ofNullable(figures.bytesPerIdentifier().get(Competitor.TIDEGATE))
        .map(bytes -> new Verdict(
            "at most " + BYTES_PER_SERIES + " B per series",
            bytes <= BYTES_PER_SERIES,
            Words.bytes(bytes) + " B"));
  }

  /** Tidegate against each other product in each scenario that was measured. */
  private static Stream<Comparison> comparisons(LocalFigures figures) {
    return Arrays.stream(Scenario.values())
        .flatMap(scenario -> Stream.of(1, 2)
            .flatMap(threads -> Competitor.products().stream()
                .filter(competitor -> !competitor.isTidegate())
                .flatMap(competitor -> figures.ratio(scenario, threads, competitor).stream()
                    .map(ratio -> new Comparison(scenario, threads, competitor, ratio)))));
  }
}
