package io.tidegate.simulator.overshoot;

import io.tidegate.report.Progress;
import io.tidegate.simulator.overshoot.TrialResults.Case;
import java.io.PrintStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * All trials, as many at a time as there are processors. Each has a world of its own, so that it
 * makes no difference to them.
 */
record OvershootRun(OvershootSettings settings, PrintStream progress) {

  /** The loads at which curves are drawn. */
  static final List<Double> CURVE_LOADS = List.of(2.0, 10.0);

  TrialResults run() throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Map<Case, Future<TrialResult>> begun = new LinkedHashMap<>();
      for (Case each : cases()) {
        begun.put(
            each, threads.submit(() -> each.approach().run(settings, each.traffic(), each.load())));
      }
      return new TrialResults(await(begun));
    } finally {
      threads.shutdownNow();
    }
  }

  private Map<Case, TrialResult> await(Map<Case, Future<TrialResult>> begun)
      throws InterruptedException {
    Progress line = new Progress(progress, begun.size(), System::nanoTime);
    Map<Case, TrialResult> outcomes = new LinkedHashMap<>();
    for (Map.Entry<Case, Future<TrialResult>> each : begun.entrySet()) {
      Case key = each.getKey();
      line.next("%s, %s times the limit, %s"
          .formatted(key.traffic().label(), key.load(), key.approach().label()));
      try {
        outcomes.put(key, each.getValue().get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("%s failed".formatted(key), e.getCause());
      }
    }
    line.end();
    return outcomes;
  }

  Collection<Case> cases() {
    Set<Case> cases = new LinkedHashSet<>();
    for (TrafficPattern traffic : settings.traffics()) {
      for (double load : settings.loads(traffic)) {
        approaches().forEach(approach -> cases.add(new Case(traffic, load, approach)));
      }
    }
    if (settings.curves()) {
      for (double load : CURVE_LOADS) {
        Stream.concat(Stream.of(SingleCounter.values()), SharingPolicy.curves().stream())
            .forEach(approach -> cases.add(new Case(TrafficPattern.EVEN, load, approach)));
      }
    }
    return cases;
  }

  private Stream<Approach> approaches() {
    return Stream.concat(Stream.of(SingleCounter.values()), settings.policies().stream());
  }
}
