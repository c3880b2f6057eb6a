package io.tidegate.benchmarks;

import io.tidegate.report.Progress;
import io.tidegate.report.Words;
import io.tidegate.testkit.RedisServer;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Measures everything that the settings ask for, round by round, on one Redis. */
final class RegionalRun {

  private final RegionalSettings settings;
  private final Progress progress;
  private final List<RegionalFigures.Load> loads = new ArrayList<>();
  private final List<RegionalFigures.Lag> lags = new ArrayList<>();
  private final List<RegionalFigures.Burst> bursts = new ArrayList<>();

  RegionalRun(RegionalSettings settings, PrintStream progress) {
    this.settings = settings;
    int kinds = settings.keys().size() + 2;
    int total = (1 + settings.rounds() * kinds) * RegionalContender.values().length;
    this.progress = new Progress(progress, total, System::nanoTime);
  }

  RegionalFigures run() {
    try (RedisServer redis = RedisServer.start()) {
      for (RegionalContender contender : RegionalContender.values()) {
        progress.next("warm-up, " + contender.label());
        new RegionalLoad(redis, settings.forWarmup()).measure(1_000, contender, 0);
      }
      for (int round = 1; round <= settings.rounds(); round++) {
        measure(redis, round);
      }
    } finally {
      progress.end();
    }
    return new RegionalFigures(loads, lags, bursts);
  }

  /** In another order each round, so that nobody always follows the same neighbour. */
  private void measure(RedisServer redis, int round) {
    List<RegionalContender> contenders = new ArrayList<>(Arrays.asList(RegionalContender.values()));
    Collections.rotate(contenders, round - 1);
    for (int keys : settings.keys()) {
      for (RegionalContender contender : contenders) {
        progress.next("%s keys, %s".formatted(Words.count(keys), contender.label()));
        loads.add(new RegionalLoad(redis, settings).measure(keys, contender, round));
      }
    }
    for (RegionalContender contender : contenders) {
      progress.next("lag, " + contender.label());
      lags.add(new RegionalLag(redis, settings).measure(contender, round));
    }
    for (RegionalContender contender : contenders) {
      progress.next("over-admission, " + contender.label());
      bursts.addAll(new RegionalBurst(redis, settings).measure(contender, round));
    }
  }
}
