package io.tidegate.benchmarks;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.LinkedHashMap;
import java.util.Map;

/** The raw figures of a run, for other programs to read. */
record RegionalExport(Machine machine, RegionalSettings settings, RegionalFigures figures) {

  Map<String, Object> content() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("machine", Json.machine(machine));
    content.put("settings", settingsContent());
    content.put("loads", figures.loads().stream().map(RegionalExport::load).toList());
    content.put("lags", figures.lags().stream().map(RegionalExport::lag).toList());
    content.put("bursts", figures.bursts().stream().map(RegionalExport::burst).toList());
    content.put("targets", Json.verdicts(new RegionalTargets(settings, figures).verdicts()));
    return content;
  }

  private Map<String, Object> settingsContent() {
    return Json.ordered(
        "quick", settings.quick(),
        "rounds", settings.rounds(),
        "nodes", RegionalNodes.COUNT,
        "keys", settings.keys(),
        "warmupMillis", settings.warmupMillis(),
        "loadMillis", settings.loadMillis(),
        "lagSamples", settings.lagSamples(),
        "bursts", settings.bursts());
  }

  private static Map<String, Object> load(RegionalFigures.Load load) {
    Map<String, Object> content = Json.ordered(
        "keys", load.keys(),
        "contender", load.contender().label(),
        "round", load.round(),
        "cells", load.cells(),
        "coldPerSecond", load.coldPerSecond(),
        "seconds", load.traffic().seconds(),
        "decisions", load.traffic().decisions(),
        "redisCommands", load.traffic().commands(),
        "messages", load.traffic().messages(),
        "mostMessagesPerSecond", load.mostMessagesPerSecond(),
        "redisSeconds", load.traffic().redisSeconds(),
        "settlingMillis", load.settlingMillis(),
        "accepted", load.tally().accepted());
    if (load.contender().keepsCountsInRedis()) {
      content.put("lost", load.tally().lost());
      content.put("dropped", load.tally().dropped());
    }
    return content;
  }

  private static Map<String, Object> lag(RegionalFigures.Lag lag) {
    return Json.ordered(
        "contender", lag.contender().label(),
        "round", lag.round(),
        "p50Millis", lag.millis().p50(),
        "p99Millis", lag.millis().p99(),
        "maxMillis", lag.millis().max(),
        "decisionP50Micros", lag.decisionMicros().p50(),
        "decisionP99Micros", lag.decisionMicros().p99());
  }

  private static Map<String, Object> burst(RegionalFigures.Burst burst) {
    return Json.ordered(
        "contender", burst.contender().label(),
        "pace", burst.pace().label(),
        "round", burst.round(),
        "timesLimit", burst.timesLimit());
  }
}
