package io.tidegate.demo;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of itself at {@code /ready}.
 *
 * @param reading whether the node reads the counts of other regions, for its region or for itself
 * @param origin its connection to the Redis of its region
 * @param globalCounters its connection to the database
 */
record Health(
    boolean ready, String status, boolean reading, Dependency origin, Dependency globalCounters) {

  /**
   * A store that the node uses.
   *
   * @param reason why it is degraded; null if it is not
   */
  record Dependency(String status, @Nullable String reason) {

    boolean isDegraded() {
      return status.equals("degraded");
    }
  }

  static Health parse(String body) {
    Map<String, @Nullable Object> ready = Json.parse(body);
    Map<String, @Nullable Object> dependencies = Json.member(ready, "dependencies");
    return new Health(
        Boolean.TRUE.equals(ready.get("ready")),
        String.valueOf(ready.get("status")),
        Boolean.TRUE.equals(ready.get("reading")),
        dependency(dependencies, "origin"),
        dependency(dependencies, "global_counters"));
  }

  private static Dependency dependency(Map<String, @Nullable Object> all, String name) {
    Map<String, @Nullable Object> dependency = Json.member(all, name);
    Object reason = dependency.get("reason");
    return new Dependency(
        String.valueOf(dependency.get("status")), reason == null ? null : reason.toString());
  }
}
