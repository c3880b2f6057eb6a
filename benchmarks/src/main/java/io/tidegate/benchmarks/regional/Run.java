package io.tidegate.benchmarks.regional;

import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import io.tidegate.testkit.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Runs all measurements, round by round, on one Redis. */
final class Run {

  private final Settings settings;
  private final Progress progress;
  private final List<Results.Load> loads = new ArrayList<>();
  private final List<Results.Lag> lags = new ArrayList<>();
  private final List<Results.Overshoot> overshoots = new ArrayList<>();

  Run(Settings settings, PrintStream progress) {
    this.settings = settings;
    int kinds = settings.keys().size() + 2;
    int total = (1 + settings.rounds() * kinds) * Contender.values().length;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  Results run() {
    try (RedisServer redis = RedisServer.start()) {
      for (Contender contender : Contender.values()) {
        progress.next("warm-up, " + contender.label());
        new Throughput(redis, settings).measure(1_000, contender, 0);
      }
      for (int round = 1; round <= settings.rounds(); round++) {
        measure(redis, round);
      }
    } finally {
      progress.end();
    }
    return new Results(settings, new Rounds<>(loads), new Rounds<>(lags), new Rounds<>(overshoots));
  }

  /** Measures in another order each round, so that no contender always follows the same one. */
  private void measure(RedisServer redis, int round) {
    List<Contender> contenders = new ArrayList<>(Arrays.asList(Contender.values()));
    Collections.rotate(contenders, round - 1);
    for (int keys : settings.keys()) {
      for (Contender contender : contenders) {
        progress.next("%s keys, %s".formatted(Format.COUNT.of(keys), contender.label()));
        loads.add(new Throughput(redis, settings).measure(keys, contender, round));
      }
    }
    for (Contender contender : contenders) {
      progress.next("lag, " + contender.label());
      lags.add(new LagProbe(redis, settings).measure(contender, round));
    }
    for (Contender contender : contenders) {
      progress.next("overshoot, " + contender.label());
      overshoots.addAll(new OvershootProbe(redis, settings).measure(contender, round));
    }
  }
}
