package io.tidegate.benchmarks;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.LinkedHashMap;
import java.util.Map;

/** The raw figures of a run, for other programs to read. */
record LocalExport(Machine machine, LocalSettings settings, LocalFigures figures) {

  Map<String, Object> content() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("machine", Json.machine(machine));
    content.put("settings", settingsContent());
    content.put(
        "decisions", figures.decisions().stream().map(this::decisionContent).toList());
    content.put(
        "batches", figures.batches().stream().map(LocalExport::batchContent).toList());
    content.put(
        "memory",
        figures.bytesPerIdentifier().entrySet().stream()
            .map(entry -> Json.ordered(
                "competitor", entry.getKey().label(), "bytesPerIdentifier", entry.getValue()))
            .toList());
    content.put("targets", Json.verdicts(LocalTargets.verdicts(figures)));
    return content;
  }

  private Map<String, Object> settingsContent() {
    return Json.ordered(
        "quick", settings.quick(),
        "rounds", settings.rounds(),
        "keys", settings.keys(),
        "warmupIterations", settings.warmups(),
        "measuredIterations", settings.iterations(),
        "iterationMillis", settings.iterationMillis());
  }

  private Map<String, Object> decisionContent(LocalFigures.Decision decision) {
    return Json.ordered(
        "scenario", decision.scenario().label(),
        "threads", decision.threads(),
        "competitor", decision.competitor().label(),
        "round", decision.round(),
        "nanosPerOperation", decision.cost().nanos(),
        "bytesPerOperation", decision.cost().bytes(),
        "ratioToTidegate", figures.ratio(decision));
  }

  private static Map<String, Object> batchContent(LocalFigures.Batch batch) {
    return Json.ordered(
        "kind", batch.kind().label(),
        "size", batch.size(),
        "round", batch.round(),
        "nanosPerOperation", batch.cost().nanos(),
        "bytesPerOperation", batch.cost().bytes());
  }
}
