package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.RunOptions;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code bench regional}: runs all measurements, round by round, on one Redis. */
@Command(
    name = "regional",
    description = {
      "Measures two nodes that share their counts through Redis: Tidegate, a limiter that replays every admitted"
          + " request to Redis, and bucket4j's proxy for Redis. Reports decisions and Redis commands per second,"
          + " the lag between the nodes, lost counts, and overshoot.",
      "",
      "Starts a Redis of its own, on loopback. Nodes, Redis and load share the processors of this machine. Prints"
          + " Markdown after about eight minutes. A missed target is reported and is not an error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench regional --quick",
      "  tidegate bench regional --rounds 5 --json figures.json > regional.md"
    },
    usageHelpAutoWidth = true)
public final class RegionalCommand implements Callable<Integer> {

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private RunOptions options;

  private final List<Results.Load> loads = new ArrayList<>();
  private final List<Results.Lag> lags = new ArrayList<>();
  private final List<Results.Overshoot> overshoots = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    int rounds = options.rounds();
    Settings settings = options.quick() ? Settings.quick(rounds) : Settings.full(rounds);
    return options.run(machine -> measure(settings).report(machine));
  }

  private Results measure(Settings settings) {
    int total = (1 + settings.rounds() * (settings.keys().size() + 2)) * Contender.values().length;
    Progress progress = new Progress(System.err, total, System::nanoTime);
    try (RedisServer redis = RedisServer.start()) {
      Measurements measurements = new Measurements(redis, settings);
      for (Contender contender : Contender.values()) {
        progress.next("warm-up, " + contender.label);
        measurements.load(1_000, contender, 0);
      }
      for (int round = 1; round <= settings.rounds(); round++) {
        measure(measurements, round, progress);
      }
    } finally {
      progress.end();
    }
    return new Results(settings, new Rounds<>(loads), new Rounds<>(lags), new Rounds<>(overshoots));
  }

  /** Measures in another order each round, so that no contender always follows the same one. */
  private void measure(Measurements measurements, int round, Progress progress) {
    List<Contender> contenders = new ArrayList<>(Arrays.asList(Contender.values()));
    Collections.rotate(contenders, round - 1);
    for (int keys : measurements.settings().keys()) {
      for (Contender contender : contenders) {
        progress.next("%s keys, %s".formatted(Format.COUNT.of(keys), contender.label));
        loads.add(measurements.load(keys, contender, round));
      }
    }
    for (Contender contender : contenders) {
      progress.next("lag, " + contender.label);
      lags.add(measurements.lag(contender, round));
      progress.next("overshoot, " + contender.label);
      overshoots.addAll(measurements.overshoots(contender, round));
    }
  }
}
