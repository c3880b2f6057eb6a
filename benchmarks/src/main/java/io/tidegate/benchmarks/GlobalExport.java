package io.tidegate.benchmarks;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import io.tidegate.report.Percentiles;
import java.util.LinkedHashMap;
import java.util.Map;

/** The raw figures of a run, for other programs to read. */
record GlobalExport(Machine machine, GlobalSettings settings, GlobalFigures figures) {

  Map<String, Object> content() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("machine", Json.machine(machine));
    content.put("settings", settingsContent());
    content.put("loads", figures.loads().stream().map(GlobalExport::load).toList());
    content.put("lags", figures.lags().stream().map(GlobalExport::lag).toList());
    content.put(
        "spendings", figures.spendings().stream().map(GlobalExport::spending).toList());
    content.put("ticks", figures.ticks().stream().map(GlobalExport::tick).toList());
    content.put(
        "ceilings", figures.ceilings().stream().map(GlobalExport::ceiling).toList());
    content.put(
        "databaseLoads",
        figures.databaseLoads().stream().map(GlobalExport::databaseLoad).toList());
    content.put("targets", Json.verdicts(new GlobalTargets(settings, figures).verdicts()));
    return content;
  }

  private Map<String, Object> settingsContent() {
    return Json.ordered(
        "quick", settings.quick(),
        "rounds", settings.rounds(),
        "regions", GlobalFleet.REGIONS,
        "nodes", GlobalFleet.NODES,
        "series", settings.series(),
        "times", settings.times(),
        "windowMillis", settings.windowMillis(),
        "warmupMillis", settings.warmupMillis(),
        "spendMillis", settings.spendMillis(),
        "cells", settings.cells());
  }

  private static Map<String, Object> load(GlobalFigures.Load load) {
    GlobalUse use = load.use();
    Map<String, Object> content = Json.ordered(
        "policy", load.policy().label(),
        "series", load.series(),
        "round", load.round(),
        "seconds", use.seconds(),
        "requestsPerWindow", load.requestsPerWindow(),
        "decisions", use.driven().decisions(),
        "denials", use.driven().denials(),
        "latestMillis", use.latestMillis(),
        "inserts", use.stored().inserts(),
        "selects", use.stored().selects(),
        "rowsWritten", use.exchanged().pushedRows(),
        "rowsInVain", use.stored().rowsInVain(),
        "rowsRead", use.exchanged().pulledRows(),
        "rowsNews", use.exchanged().newsRows(),
        "failures", use.exchanged().failures(),
        "lockWaits", use.stored().lockWaits(),
        "deadlocks", use.stored().deadlocks());
    content.putAll(Json.ordered(
        "databaseSeconds", use.stored().cpuSeconds(),
        "processSeconds", use.processSeconds(),
        "driverSeconds", use.driven().cpuNanos() / 1e9,
        "pushCpuSeconds", use.exchanged().pushCpuNanos() / 1e9,
        "pullCpuSeconds", use.exchanged().pullCpuNanos() / 1e9,
        "tickCpuMillis", percentiles(use.tickCpuMillis()),
        "pushMillis", percentiles(use.pushMillis()),
        "pullMillis", percentiles(use.pullMillis()),
        "tableRows", load.size().rows(),
        "liveRows", load.size().liveRows(),
        "tableBytes", load.size().bytes()));
    return content;
  }

  private static Map<String, Object> percentiles(Percentiles percentiles) {
    return Json.ordered(
        "p50", percentiles.p50(), "p99", percentiles.p99(), "max", percentiles.max());
  }

  private static Map<String, Object> lag(GlobalFigures.Lag lag) {
    return Json.ordered(
        "policy", lag.policy().label(),
        "series", lag.series(),
        "samples", lag.samples(),
        "unknown", lag.unknown(),
        "lagMillis", percentiles(lag.millis()));
  }

  private static Map<String, Object> spending(GlobalFigures.Spending spending) {
    return Json.ordered(
        "policy", spending.policy().label(),
        "offered", spending.offer().times(),
        "regions", spending.offer().regions(),
        "timesLimit", spending.timesLimit(),
        "rowsPerWindow", spending.rowsPerWindow());
  }

  private static Map<String, Object> tick(GlobalFigures.Tick tick) {
    return Json.ordered(
        "cells", tick.cells(),
        "changedPerMille", tick.changedPerMille(),
        "pushCpuMillis", tick.pushMillis(),
        "pullCpuMillis", tick.pullMillis());
  }

  private static Map<String, Object> ceiling(GlobalFigures.Ceiling ceiling) {
    return Json.ordered(
        "kind", ceiling.kind().label(),
        "connections", ceiling.connections(),
        "rowsPerSecond", ceiling.rowsPerSecond(),
        "callsPerSecond", ceiling.callsPerSecond(),
        "databasePercent", ceiling.databasePercent(),
        "processPercent", ceiling.processPercent());
  }

  private static Map<String, Object> databaseLoad(GlobalFigures.DatabaseLoad load) {
    return Json.ordered(
        "times", load.times(),
        "rowsWrittenPerSecond", load.rowsWrittenPerSecond(),
        "rowsReadPerSecond", load.rowsReadPerSecond(),
        "databasePercent", load.databasePercent(),
        "processPercent", load.processPercent(),
        "pushMillis", percentiles(load.pushMillis()),
        "pullMillis", percentiles(load.pullMillis()));
  }
}
