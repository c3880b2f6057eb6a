package io.tidegate.simulator.fleet;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import io.tidegate.simulator.fleet.FleetFigures.OriginLoad;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** All that simulations have found, as they found it and as it is for the whole fleet. */
record FleetExport(Machine machine, List<FleetFigures> figures, List<NodeMemory> memory) {

  Map<String, Object> content() {
    return Json.ordered(
        "machine", Json.machine(machine),
        "fleets", IntStream.range(0, figures.size()).mapToObj(this::fleet).toList(),
        "targets", Json.verdicts(new FleetTargets(figures).verdicts()));
  }

  private Map<String, Object> fleet(int index) {
    FleetFigures one = figures.get(index);
    FleetSettings plan = one.plan();
    NodeMemory bytes = memory.get(index);
    return Json.ordered(
        "shape", plan.shape().label(),
        "regions", plan.shape().regions(),
        "nodes", plan.shape().nodes(),
        "series", plan.shape().series(),
        "sample", plan.sample(),
        "policy", plan.policy().label(),
        "maxSeries", plan.maxSeries(),
        "minutes", plan.minutes(),
        "seed", plan.seed(),
        "whole", load(one.whole()),
        "simulated", load(one),
        "admission",
            Json.ordered(
                "all", admission(one.all()),
                "shared", admission(one.shared()),
                "sharedAndTooMuch", admission(one.tooMuch())),
        "wrongDenials", one.wrongDenials(),
        "failedCalls", one.failures(),
        "bytesPerSeriesUsed", bytes.used(),
        "bytesPerSeriesHeardOf", bytes.heard(),
        "effort",
            Json.ordered(
                "virtualSeconds", one.effort().virtualSeconds(),
                "realSeconds", one.effort().realSeconds(),
                "cpuSeconds", one.effort().cpuSeconds(),
                "events", one.effort().events()));
  }

  private static Map<String, Object> load(FleetFigures figures) {
    return Json.ordered(
        "requestsPerSecond", figures.requests(),
        "denialsPerSecond", figures.denials(),
        "rowsWrittenPerSecond", figures.rowsWritten(),
        "rowsWrittenError", figures.rowsError(),
        "rowsOfSharedPerSecond", figures.rowsOfShared(),
        "rowsReadPerSecond", figures.rowsRead(),
        "newsPerSecond", figures.news(),
        "pushesPerSecond", figures.pushes(),
        "pullsPerSecond", figures.pulls(),
        "liveRows", figures.liveRows(),
        "origins", origins(figures.origins()),
        "busiestOrigin", origins(figures.busiest()),
        "seriesUsedByNode", figures.usedSeries(),
        "seriesHeldByNode", figures.heldSeries(),
        "evictionsPerSecond", figures.evictions());
  }

  private static Map<String, Object> origins(OriginLoad load) {
    return Json.ordered(
        "countsPerSecond", load.writes(),
        "cellsReadPerSecond", load.reads(),
        "cellsReadByPatrolsPerSecond", load.patrolReads(),
        "redisCommandsPerSecond", load.redisCommands());
  }

  private static Map<String, Object> admission(PeakDistribution admission) {
    return Json.ordered(
        "series", admission.series(),
        "p50", admission.p50(),
        "p90", admission.p90(),
        "p99", admission.p99(),
        "p999", admission.p999(),
        "max", admission.max(),
        "over105", admission.over105(),
        "over110", admission.over110(),
        "over150", admission.over150());
  }
}
