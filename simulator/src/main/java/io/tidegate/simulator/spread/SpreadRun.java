package io.tidegate.simulator.spread;

import io.tidegate.report.Progress;
import io.tidegate.simulator.spread.SpreadFigures.Case;
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
record SpreadRun(Settings settings, PrintStream progress) {

  /** The loads at which curves are drawn. */
  static final List<Double> CURVE_LOADS = List.of(2.0, 10.0);

  SpreadFigures run() throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      Map<Case, Future<Outcome>> begun = new LinkedHashMap<>();
      for (Case each : cases()) {
        begun.put(
            each,
            threads.submit(() -> each.contender().run(settings, each.traffic(), each.load())));
      }
      return new SpreadFigures(await(begun));
    } finally {
      threads.shutdownNow();
    }
  }

  private Map<Case, Outcome> await(Map<Case, Future<Outcome>> begun) throws InterruptedException {
    Progress line = new Progress(progress, begun.size(), System::nanoTime);
    Map<Case, Outcome> outcomes = new LinkedHashMap<>();
    for (Map.Entry<Case, Future<Outcome>> each : begun.entrySet()) {
      Case key = each.getKey();
      line.next("%s, %s times the limit, %s"
          .formatted(key.traffic().label(), key.load(), key.contender().label()));
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
    for (Traffic traffic : settings.traffics()) {
      for (double load : settings.loads(traffic)) {
        contenders().forEach(contender -> cases.add(new Case(traffic, load, contender)));
      }
    }
    if (settings.curves()) {
      for (double load : CURVE_LOADS) {
        Stream.concat(Stream.of(Reference.values()), Policy.curves().stream())
            .forEach(contender -> cases.add(new Case(Traffic.EVEN, load, contender)));
      }
    }
    return cases;
  }

  private Stream<Contender> contenders() {
    return Stream.concat(Stream.of(Reference.values()), settings.policies().stream());
  }
}
