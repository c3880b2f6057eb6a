package io.tidegate.server.console;

import io.tidegate.SeriesInspection;
import io.tidegate.model.CellCounts;
import io.tidegate.model.Decision;
import io.tidegate.model.OriginCounts;
import io.tidegate.model.SeriesMemory;
import io.tidegate.model.StoreInspection;
import io.tidegate.model.WindowCell;
import io.tidegate.server.service.IdentifierInspection;
import io.tidegate.server.service.IdentifierInspection.LimitSource;
import io.tidegate.server.service.IdentifierInspection.Window;
import io.tidegate.server.service.OverrideDetails;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Describes what is known of an identifier, as JSON. */
final class InspectionJson {

  /**
   * The nodes of a cell with the highest counts. A cell of a long window has one for each process
   * that has used it.
   */
  private static final int MAX_NODES = 200;

  private InspectionJson() {}

  static JsonObject of(IdentifierInspection inspection, JsonObject node, long nowMillis) {
    JsonArray windows = new JsonArray();
    inspection.windows().forEach(window -> windows.add(window(window)));
    OverrideDetails override = inspection.override();
    return new JsonObject()
        .put("time", nowMillis)
        .put("region", node.getString("region"))
        .put("node", node.getString("name"))
        .put("workspace", inspection.workspace())
        .put("namespace", inspection.namespace())
        .put("identifier", inspection.identifier())
        .put("override", override == null ? null : override(override))
        .put("windows", windows);
  }

  static JsonObject override(OverrideDetails override) {
    return new JsonObject()
        .put("id", override.id())
        .put("identifier", override.identifier())
        .put("limit", override.limit())
        .put("windowMillis", override.durationMillis());
  }

  private static JsonObject window(Window window) {
    SeriesInspection series = window.series();
    Optional<SeriesMemory> memory = series.memory();
    JsonObject json = new JsonObject()
        .put("windowMillis", series.series().scope().windowMillis())
        .put("effective", series.effectiveCount())
        .put("inMemory", memory.isPresent())
        .put("strictUntil", memory.map(InspectionJson::strictUntil).orElse(null))
        .put(
            "answerAgeMillis",
            memory.flatMap(SeriesMemory::answerAge).map(Duration::toMillis).orElse(null))
        .put("degraded", isDegraded(series));
    addLimit(json, window);
    return json.put("cells", new JsonArray().add(current(series)).add(previous(series)))
        .put("origin", store(series.origin()))
        .put("globalCounters", store(series.globalCounters()));
  }

  /** Adds what follows from a limit; all null without one. */
  private static void addLimit(JsonObject json, Window window) {
    Long limit = window.limit();
    LimitSource source = window.source();
    json.put("limit", limit)
        .put("limitSource", source == null ? null : source.name().toLowerCase(Locale.ROOT));
    if (limit == null) {
      json.putNull("remaining").putNull("allowed").putNull("retryAfterMillis");
      return;
    }
    Decision peek = window.series().decide(limit, 0);
    Decision request = window.series().decide(limit, 1);
    json.put("remaining", peek.remaining())
        .put("allowed", request.allowed())
        .put(
            "retryAfterMillis",
            request.allowed() ? 0 : ConsoleState.retryAfter(request.retryAfterMillis()));
  }

  private static @Nullable Long strictUntil(SeriesMemory memory) {
    return memory.strictUntilMillis().isPresent() ? memory.strictUntilMillis().getAsLong() : null;
  }

  /** Whether the next decision would need the origin, which does not answer. */
  private static boolean isDegraded(SeriesInspection series) {
    boolean failed = series.origin().flatMap(StoreInspection::failure).isPresent();
    return failed && series.memory().map(memory -> !memory.unsure().isEmpty()).orElse(true);
  }

  private static JsonObject current(SeriesInspection series) {
    return cell(
        "current",
        series.currentCell(),
        1,
        series.memory().map(SeriesMemory::current),
        series.origin().flatMap(StoreInspection::current),
        series.globalCounters().flatMap(StoreInspection::current));
  }

  private static JsonObject previous(SeriesInspection series) {
    return cell(
        "previous",
        series.previousCell(),
        (double) series.overlapMillis() / series.series().scope().windowMillis(),
        series.memory().map(SeriesMemory::previous),
        series.origin().flatMap(StoreInspection::previous),
        series.globalCounters().flatMap(StoreInspection::previous));
  }

  private static JsonObject cell(
      String name,
      WindowCell cell,
      double weight,
      Optional<CellCounts> memory,
      Optional<OriginCounts> origin,
      Optional<Map<String, Long>> regions) {
    CellCounts counts = memory.orElse(new CellCounts(0, 0, 0));
    return new JsonObject()
        .put("cell", name)
        .put("startsAt", cell.startMillis())
        .put("endsAt", cell.startMillis() + cell.series().scope().windowMillis())
        .put("weight", Math.round(weight * 1_000) / 1_000.0)
        .put("own", counts.own())
        .put("peers", counts.peers())
        .put("imported", counts.imported())
        .put("total", counts.total())
        .put("nodes", counts("node", origin.map(OriginCounts::nodes).orElse(Map.of())))
        .put(
            "importedRegions",
            counts("region", origin.map(OriginCounts::imported).orElse(Map.of())))
        .put("regions", counts("region", regions.orElse(Map.of())));
  }

  private static JsonArray counts(String label, Map<String, Long> counts) {
    JsonArray all = new JsonArray();
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(MAX_NODES)
        .forEach(count ->
            all.add(new JsonObject().put(label, count.getKey()).put("count", count.getValue())));
    return all;
  }

  private static JsonObject store(Optional<? extends StoreInspection<?>> store) {
    if (store.isEmpty()) {
      return new JsonObject().put("status", "unused");
    }
    Optional<String> failure = store.get().failure();
    return failure.isEmpty()
        ? new JsonObject().put("status", "ok")
        : new JsonObject().put("status", "failed").put("reason", failure.get());
  }
}
