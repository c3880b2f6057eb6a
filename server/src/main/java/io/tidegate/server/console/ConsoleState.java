package io.tidegate.server.console;

import io.tidegate.model.Decision;
import io.tidegate.rules.Rule;
import io.tidegate.server.activity.Activity;
import io.tidegate.server.activity.Denial;
import io.tidegate.server.fleet.Fleet;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.observe.RuleCount;
import io.tidegate.server.service.InspectionService;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/** Describes everything that the page shows without a question, as JSON. */
public final class ConsoleState {

  /** Rules, and workspaces, of one state: it is sent every second. */
  private static final int MAX_ROWS = 200;

  private final Fleet fleet;
  private final Activity activity;
  private final Metrics metrics;
  private final InspectionService inspections;
  private final InstantSource clock;

  /** Creates a description of these parts of a node. */
  public ConsoleState(
      Fleet fleet,
      Activity activity,
      Metrics metrics,
      InspectionService inspections,
      InstantSource clock) {
    this.fleet = fleet;
    this.activity = activity;
    this.metrics = metrics;
    this.inspections = inspections;
    this.clock = clock;
  }

  /** The state at this moment. */
  JsonObject describe() {
    return new JsonObject()
        .put("time", clock.millis())
        .mergeIn(fleet.look())
        .put("denials", denials())
        .put("rules", rules())
        .put("workspaces", workspaces());
  }

  private JsonArray denials() {
    JsonArray all = new JsonArray();
    for (Denial denial : activity.denials()) {
      all.add(new JsonObject()
          .put("time", denial.timeMillis())
          .put("workspace", denial.workspace())
          .put("namespace", denial.namespace())
          .put("identifier", denial.identifier())
          .put("limit", denial.limit())
          .put("windowMillis", denial.windowMillis())
          .put("retryAfterMillis", retryAfter(denial.retryAfterMillis()))
          .put("degraded", denial.degraded()));
    }
    return all;
  }

  /** Never is -1: a browser cannot represent the largest long. */
  static long retryAfter(long millis) {
    return millis == Decision.NEVER ? -1 : millis;
  }

  /** The rules in use, with the hits that carry their name; rules that name values have several. */
  private JsonArray rules() {
    Map<String, RuleCount> counts = new HashMap<>();
    metrics.ruleCounts().forEach(count -> counts.put(count.rule(), count));
    JsonArray all = new JsonArray();
    for (Rule rule : inspections.rules().stream().limit(MAX_ROWS).toList()) {
      String name = rule.domain() + "." + rule.path().replace(',', '.').replace('=', '_');
      RuleCount count = counts.remove(name);
      all.add(row(name, count == null ? new RuleCount(name, 0, 0, 0, 0, 0) : count)
          .put("domain", rule.domain())
          .put("limit", rule.limit())
          .put("windowMillis", rule.windowMillis())
          .put("shadow", rule.shadow()));
    }
    counts.values().stream().limit(MAX_ROWS).forEach(count -> all.add(row(count.rule(), count)));
    return all;
  }

  private static JsonObject row(String name, RuleCount count) {
    return new JsonObject()
        .put("rule", name)
        .put("hits", count.hits())
        .put("withinLimit", count.within())
        .put("nearLimit", count.near())
        .put("overLimit", count.over())
        .put("shadowed", count.shadowed());
  }

  private JsonArray workspaces() {
    JsonArray all = new JsonArray();
    inspections.workspaces().stream()
        .limit(MAX_ROWS)
        .forEach(workspace ->
            all.add(new JsonObject().put("id", workspace.id()).put("name", workspace.name())));
    return all;
  }
}
