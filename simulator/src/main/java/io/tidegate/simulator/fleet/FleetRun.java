package io.tidegate.simulator.fleet;

import io.tidegate.report.Progress;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Runs simulations, each by one thread: they know nothing of each other, so two of them make use of
 * two processors, and come to the same as one after the other.
 */
final class FleetRun {

  /** Two, since each has the memory of a fleet. */
  private static final int AT_ONCE = 2;

  private final List<FleetSettings> plans;
  private final PrintStream progressTo;

  FleetRun(List<FleetSettings> plans, PrintStream progressTo) {
    this.plans = plans;
    this.progressTo = progressTo;
  }

  /**
   * What the simulations have found.
   *
   * @param figures of each, in the order of the plans
   * @param memory what a node needs for a series, by the shape of each plan
   */
  record Outcome(List<FleetFigures> figures, List<NodeMemory> memory) {}

  Outcome run() throws InterruptedException {
    List<NodeMemory> memory =
        plans.stream().map(plan -> NodeMemory.measure(plan.shape().regions())).toList();
    Progress progress = new Progress(
        progressTo, plans.stream().mapToInt(FleetSimulation::windows).sum(), System::nanoTime);
    ExecutorService threads =
        Executors.newFixedThreadPool(Math.min(AT_ONCE, Runtime.getRuntime().availableProcessors()));
    try {
      // the last ones first: they are the largest, and nothing should wait for them in the end
      List<Future<FleetFigures>> begun = new ArrayList<>();
      for (int i = plans.size() - 1; i >= 0; i--) {
        FleetSettings plan = plans.get(i);
        begun.add(
            0,
            threads.submit(() -> new FleetSimulation(plan).run(() -> {
              synchronized (progress) {
                progress.next(plan.label());
              }
            })));
      }
      List<FleetFigures> figures = new ArrayList<>();
      for (Future<FleetFigures> one : begun) {
        figures.add(get(one));
      }
      progress.end();
      return new Outcome(figures, memory);
    } finally {
      threads.shutdownNow();
    }
  }

  private static FleetFigures get(Future<FleetFigures> one) throws InterruptedException {
    try {
      return one.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a simulation failed", e.getCause());
    }
  }

  /** The plans of some shapes: the RFC's in full too, to see what a sample is worth. */
  static List<FleetSettings> plans(
      List<FleetSize> shapes,
      int sample,
      Policy policy,
      int maxSeries,
      int minutes,
      long seed,
      boolean quick) {
    return shapes.stream()
        .flatMap(shape -> {
          int quickly = quick ? 4 : 1;
          int one = sample > 0 ? sample : quickly * shape.usualSample();
          FleetSettings plan = new FleetSettings(shape, one, policy, maxSeries, minutes, seed);
          boolean inFullToo = sample == 0 && !quick && shape.equals(FleetSize.ONE);
          return inFullToo
              ? Stream.of(new FleetSettings(shape, 1, policy, maxSeries, minutes, seed), plan)
              : Stream.of(plan);
        })
        .toList();
  }
}
