package io.tidegate.server.fleet;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The namespaces of several nodes, added up by region: rates, and the identifiers with the most
 * requests and denials. Counts and errors of an identifier are sums over the nodes that report it.
 */
final class NamespaceTable {

  private static final int MAX_NAMESPACES = 50;

  private record Key(String workspace, String namespace) {}

  /** The sums of one namespace in one region. */
  private static final class Sums {
    private double allowed;
    private double denied;
    private final Map<String, JsonObject> busiest = new LinkedHashMap<>();
    private final Map<String, JsonObject> mostDenied = new LinkedHashMap<>();

    void add(JsonObject namespace) {
      allowed += namespace.getDouble("allowedPerSecond", 0.0);
      denied += namespace.getDouble("deniedPerSecond", 0.0);
      add(namespace.getJsonArray("busiest", new JsonArray()), busiest);
      add(namespace.getJsonArray("mostDenied", new JsonArray()), mostDenied);
    }

    private static void add(JsonArray identifiers, Map<String, JsonObject> sums) {
      for (Object each : identifiers) {
        JsonObject more = (JsonObject) each;
        sums.merge(
            more.getString("identifier"),
            more.copy(),
            (sum, same) -> sum.put(
                    "perMinute", sum.getLong("perMinute") + same.getLong("perMinute"))
                .put("error", sum.getLong("error") + same.getLong("error")));
      }
    }

    JsonObject toJson(String region) {
      return new JsonObject()
          .put("region", region)
          .put("allowedPerSecond", allowed)
          .put("deniedPerSecond", denied)
          .put("busiest", top(busiest))
          .put("mostDenied", top(mostDenied));
    }

    private static JsonArray top(Map<String, JsonObject> identifiers) {
      JsonArray top = new JsonArray();
      identifiers.values().stream()
          .sorted(Comparator.<JsonObject>comparingLong(one -> one.getLong("perMinute"))
              .reversed())
          .limit(NodeStatus.MAX_IDENTIFIERS)
          .forEach(top::add);
      return top;
    }
  }

  private NamespaceTable() {}

  /** The namespaces of these nodes, the busiest first. */
  static JsonArray of(List<JsonObject> nodes) {
    Map<Key, Map<String, Sums>> all = new HashMap<>();
    for (JsonObject node : nodes) {
      for (Object each : node.getJsonArray("namespaces", new JsonArray())) {
        JsonObject namespace = (JsonObject) each;
        Key key = new Key(namespace.getString("workspace"), namespace.getString("namespace"));
        all.computeIfAbsent(key, missing -> new TreeMap<>())
            .computeIfAbsent(node.getString("region"), missing -> new Sums())
            .add(namespace);
      }
    }
    List<JsonObject> rows = new ArrayList<>();
    all.forEach((key, regions) -> rows.add(row(key, regions)));
    JsonArray table = new JsonArray();
    rows.stream()
        .sorted(Comparator.<JsonObject>comparingDouble(
                row -> row.getDouble("allowedPerSecond") + row.getDouble("deniedPerSecond"))
            .reversed()
            .thenComparing(row -> row.getString("namespace"))
            .thenComparing(row -> row.getString("workspace")))
        .limit(MAX_NAMESPACES)
        .forEach(table::add);
    return table;
  }

  private static JsonObject row(Key key, Map<String, Sums> regions) {
    JsonArray byRegion = new JsonArray();
    regions.forEach((region, sums) -> byRegion.add(sums.toJson(region)));
    return new JsonObject()
        .put("workspace", key.workspace())
        .put("namespace", key.namespace())
        .put(
            "allowedPerSecond",
            regions.values().stream().mapToDouble(sums -> sums.allowed).sum())
        .put(
            "deniedPerSecond",
            regions.values().stream().mapToDouble(sums -> sums.denied).sum())
        .put("regions", byRegion);
  }
}
