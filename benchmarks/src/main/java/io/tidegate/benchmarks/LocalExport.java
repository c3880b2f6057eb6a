package io.tidegate.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The raw figures of a run, for other programs to read. */
record LocalExport(Machine machine, LocalSettings settings, LocalFigures figures) {

  Map<String, Object> content() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("machine", machineContent());
    content.put("settings", settingsContent());
    content.put(
        "decisions", figures.decisions().stream().map(this::decisionContent).toList());
    content.put(
        "batches", figures.batches().stream().map(LocalExport::batchContent).toList());
    content.put(
        "memory",
        figures.bytesPerIdentifier().entrySet().stream()
            .map(entry -> ordered(
                "competitor", entry.getKey().label(), "bytesPerIdentifier", entry.getValue()))
            .toList());
    content.put(
        "targets",
        LocalTargets.verdicts(figures).stream()
            .map(verdict -> ordered(
                "target", verdict.target(), "met", verdict.met(), "figure", verdict.figure()))
            .toList());
    return content;
  }

  private Map<String, Object> machineContent() {
    return ordered(
        "processors", machine.processors(),
        "processor", machine.processor(),
        "system", machine.system(),
        "jvm", machine.jvm(),
        "loadBefore", machine.load(),
        "flags", machine.flags());
  }

  private Map<String, Object> settingsContent() {
    return ordered(
        "quick", settings.quick(),
        "rounds", settings.rounds(),
        "keys", settings.keys(),
        "warmupIterations", settings.warmups(),
        "measuredIterations", settings.iterations(),
        "iterationMillis", settings.iterationMillis());
  }

  private Map<String, Object> decisionContent(LocalFigures.Decision decision) {
    return ordered(
        "scenario", decision.scenario().label(),
        "threads", decision.threads(),
        "competitor", decision.competitor().label(),
        "round", decision.round(),
        "nanosPerOperation", decision.cost().nanos(),
        "bytesPerOperation", decision.cost().bytes(),
        "ratioToTidegate", figures.ratio(decision));
  }

  private static Map<String, Object> batchContent(LocalFigures.Batch batch) {
    return ordered(
        "kind", batch.kind().label(),
        "size", batch.size(),
        "round", batch.round(),
        "nanosPerOperation", batch.cost().nanos(),
        "bytesPerOperation", batch.cost().bytes());
  }

  private static Map<String, Object> ordered(Object... namesAndValues) {
    Map<String, Object> ordered = new LinkedHashMap<>();
    List<Object> pairs = List.of(namesAndValues);
    for (int i = 0; i < pairs.size(); i += 2) {
      ordered.put((String) pairs.get(i), pairs.get(i + 1));
    }
    return ordered;
  }
}
