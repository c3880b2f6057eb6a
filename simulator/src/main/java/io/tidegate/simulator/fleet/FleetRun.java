package io.tidegate.simulator.fleet;

import io.tidegate.report.Progress;
import io.tidegate.simulator.common.ParallelRuns;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Runs the simulations of several fleets. They are independent of each other. */
final class FleetRun {

  /** Each simulation has a whole fleet in memory. */
  private static final int MAX_THREADS = 2;

  private FleetRun() {}

  static List<FleetResult> run(List<FleetSettings> fleets, PrintStream progressTo)
      throws InterruptedException {
    Map<Integer, NodeMemory> memory = new LinkedHashMap<>(); // measured before other threads run
    for (FleetSettings fleet : fleets) {
      memory.computeIfAbsent(fleet.size().regions(), NodeMemory::measure);
    }
    int windows = fleets.stream().mapToInt(FleetSimulation::windows).sum();
    Progress progress = new Progress(progressTo, windows, System::nanoTime);
    List<FleetSettings> largestFirst = new ArrayList<>(fleets);
    Collections.reverse(largestFirst);
    List<FleetResult> results = new ArrayList<>();
    ParallelRuns.run(
        Math.min(MAX_THREADS, ParallelRuns.processors()),
        largestFirst.iterator(),
        fleet -> new FleetSimulation(fleet).run(() -> {
          synchronized (progress) {
            progress.next(fleet.label());
          }
        }),
        (fleet, figures) -> results.add(new FleetResult(
            figures, Objects.requireNonNull(memory.get(fleet.size().regions())))));
    progress.end();
    Collections.reverse(results);
    return results;
  }
}
