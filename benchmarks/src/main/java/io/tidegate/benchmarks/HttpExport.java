package io.tidegate.benchmarks;

import io.tidegate.report.Json;
import io.tidegate.report.Machine;
import java.util.LinkedHashMap;
import java.util.Map;

/** The raw figures of a run, for other programs to read. */
record HttpExport(Machine machine, HttpSettings settings, HttpFigures figures) {

  Map<String, Object> content() {
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("machine", Json.machine(machine));
    content.put("settings", settingsContent());
    content.put("loads", figures.loads().stream().map(HttpExport::load).toList());
    content.put("memories", figures.memories().stream().map(HttpExport::memory).toList());
    content.put("targets", Json.verdicts(new HttpTargets(settings, figures).verdicts()));
    return content;
  }

  private Map<String, Object> settingsContent() {
    return Json.ordered(
        "quick", settings.quick(),
        "pinned", settings.pinned(),
        "rounds", settings.rounds(),
        "eventLoops", settings.eventLoops(),
        "startMillis", settings.startMillis(),
        "warmupMillis", settings.warmupMillis(),
        "loadMillis", settings.loadMillis());
  }

  private static Map<String, Object> load(HttpFigures.Load load) {
    HttpLoad.Outcome outcome = load.outcome();
    return Json.ordered(
        "contender", load.contender().label(),
        "connections", load.scenario().connections(),
        "keys", load.scenario().keys(),
        "percentOfMost", load.scenario().percent(),
        "round", load.round(),
        "requests", outcome.requests(),
        "seconds", outcome.seconds(),
        "serverCpuSeconds", load.serverSeconds(),
        "loadCpuSeconds", outcome.cpuSeconds(),
        "p50Micros", outcome.micros().p50(),
        "p99Micros", outcome.micros().p99(),
        "p999Micros", outcome.micros().p999(),
        "maxMicros", outcome.micros().max(),
        "lateP99Micros", outcome.lateMicros().p99());
  }

  private static Map<String, Object> memory(HttpFigures.Memory memory) {
    return Json.ordered(
        "contender", memory.contender().label(),
        "series", memory.after().series(),
        "fillingSeconds", memory.fillingSeconds(),
        "residentBytes", memory.residentBytes(),
        "heapBytesBefore", memory.before().heapBytes(),
        "heapBytesAfter", memory.after().heapBytes());
  }
}
