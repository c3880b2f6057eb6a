package io.tidegate.benchmarks.local;

import static io.tidegate.report.Format.COUNT;
import static io.tidegate.report.Format.RATIO;

import io.tidegate.benchmarks.local.Results.Memory;
import io.tidegate.benchmarks.local.Settings.Case;
import io.tidegate.report.Spread;
import io.tidegate.report.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Judges the results by the targets of this benchmark. Targets that were not measured are omitted.
 */
record Targets(Results results) {

  private static final double MANY_KEYS_RATIO = 2.0;
  private static final double HOT_KEY_RATIO = 1.3;
  private static final int BYTES_PER_SERIES = 330;

  /** Allocation below this comes from the JVM and JMH, not from the benchmark. */
  private static final double NO_BYTES = 0.5;

  private static final List<Competitor> BUCKETS =
      List.of(Competitor.BUCKET4J, Competitor.RESILIENCE4J);

  /** The time of another product as a multiple of Tidegate's. */
  private record Comparison(Case measured, Competitor competitor, Spread ratio) {}

  List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      atLeast(MANY_KEYS_RATIO, new Case(Scenario.ZIPF, threads)).forEach(targets::add);
    }
    atLeast(HOT_KEY_RATIO, new Case(Scenario.HOT, 1)).forEach(targets::add);
    neverSlower(Competitor.GUAVA).ifPresent(targets::add);
    neverSlower(Competitor.CAFFEINE).ifPresent(targets::add);
    noAllocation().ifPresent(targets::add);
    memory().ifPresent(targets::add);
    return targets;
  }

  private Stream<Target> atLeast(double wanted, Case measured) {
    return comparisons()
        .filter(comparison -> comparison.measured.equals(measured))
        .filter(comparison -> BUCKETS.contains(comparison.competitor))
        .map(comparison -> new Target(
            "%s: at least %sx as fast as %s"
                .formatted(measured.label(), wanted, comparison.competitor.label()),
            comparison.ratio.median() >= wanted,
            RATIO.of(comparison.ratio)));
  }

  private Optional<Target> neverSlower(Competitor competitor) {
    return comparisons()
        .filter(comparison -> comparison.competitor == competitor)
        .filter(comparison -> comparison.measured.threads() == 1)
        .min(Comparator.comparingDouble(comparison -> comparison.ratio.median()))
        .map(worst -> new Target(
            "1 thread: never slower than " + competitor.label(),
            worst.ratio.median() >= 1,
            "%s at worst, for %s"
                .formatted(RATIO.of(worst.ratio), worst.measured.scenario().label())));
  }

  private Optional<Target> noAllocation() {
    return results.decisions().rows().stream()
        .filter(decision -> decision.competitor() == Competitor.TIDEGATE
            || decision.competitor() == Competitor.TIDEGATE_GIVEN_TIME)
        .map(decision -> decision.cost().bytes())
        .max(Comparator.naturalOrder())
        .map(bytes -> new Target(
            "0 B per decision through a gate",
            bytes < NO_BYTES,
            String.format(Locale.ROOT, "%.3f B at most", bytes)));
  }

  private Optional<Target> memory() {
    return ourMemory()
        .map(ours -> new Target(
            "at most " + BYTES_PER_SERIES + " B per series",
            ours.bytes() <= BYTES_PER_SERIES,
            COUNT.of(ours.bytes()) + " B"));
  }

  private Optional<Memory> ourMemory() {
    return results.memory().stream()
        .filter(row -> row.competitor() == Competitor.TIDEGATE)
        .findFirst();
  }

  /** Where another product was faster, the greatest loss first, or smaller. */
  List<String> losses() {
    Stream<String> time = comparisons()
        .filter(comparison -> comparison.ratio.median() < 1)
        .sorted(Comparator.comparingDouble(loss -> loss.ratio.median()))
        .map(loss -> "%s, %s: %s takes %s of Tidegate's time"
            .formatted(
                results.title(loss.measured.scenario()),
                loss.measured.threadsLabel(),
                loss.competitor.label(),
                RATIO.of(loss.ratio)));
    Stream<String> memory = ourMemory().stream()
        .flatMap(ours -> results.memory().stream()
            .filter(theirs -> theirs.bytes() < ours.bytes())
            .map(theirs -> "memory: %s takes %s B per identifier, Tidegate %s B"
                .formatted(
                    theirs.competitor().label(),
                    COUNT.of(theirs.bytes()),
                    COUNT.of(ours.bytes()))));
    return Stream.concat(time, memory).toList();
  }

  /** Tidegate compared with each other product, in each case that was measured. */
  private Stream<Comparison> comparisons() {
    return results.settings().cases().stream()
        .flatMap(measured -> Competitor.products().stream()
            .filter(competitor -> competitor != Competitor.TIDEGATE)
            .flatMap(competitor -> comparison(measured, competitor).stream()));
  }

  private Optional<Comparison> comparison(Case measured, Competitor competitor) {
    var rows = results
        .decisions()
        .where(decision ->
            decision.measured().equals(measured) && decision.competitor() == competitor);
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(new Comparison(measured, competitor, rows.of(results.ratio())));
  }
}
