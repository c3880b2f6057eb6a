package io.tidegate.server.command;

import io.tidegate.server.config.Durations;
import io.tidegate.server.log.Escaped;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows what a running node, its origin and the global counters know of an identifier. */
@Command(
    name = "inspect",
    description = {
      "Show the counts of an identifier by node and by region, its limit, and when it frees up.",
      "",
      "Asks the admin port of a running node, which reads Redis and the database. Charges nothing."
    },
    footer = {"", "Example: tidegate inspect login user_42"})
final class InspectCommand implements Runnable {

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Mixin
  private final AdminClient node;

  @Parameters(
      index = "0",
      paramLabel = "NAMESPACE",
      description = "Name or id of the namespace; for a rule, its path.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String namespace;

  @Parameters(index = "1", paramLabel = "IDENTIFIER", description = "Identifier to look for.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String identifier;

  @Option(
      names = "--workspace",
      paramLabel = "ID",
      description = "Id of the workspace, or the domain of a rule. Required if there are several.")
  private @Nullable String workspace;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "Length of the window, such as 60s, 5m or 1h. Default: all in recent use.")
  private @Nullable String duration;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "Limit to compare with, unless an override applies. Default: the last one used.")
  private @Nullable Long limit;

  @Option(names = "--json", description = "Print the answer of the node unchanged.")
  private boolean json;

  InspectCommand(Map<String, String> environment) {
    this.node = new AdminClient(environment);
  }

  @Override
  public void run() {
    JsonObject answer = node.post(
        "inspect",
        new JsonObject()
            .put("workspace", workspace)
            .put("namespace", namespace)
            .put("identifier", identifier)
            .put("windowMillis", duration == null ? null : millis(duration))
            .put("limit", limit));
    if (json) {
      command.commandLine().getOut().println(AdminClient.print(answer.encodePrettily()));
    } else {
      printAnswer(answer);
    }
  }

  private long millis(String time) {
    try {
      return Durations.parse(time).toMillis();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          command.commandLine(), "--duration " + e.getMessage() + ": " + time);
    }
  }

  private void printAnswer(JsonObject answer) {
    print("%s in namespace %s of workspace %s"
        .formatted(
            answer.getString("identifier"),
            answer.getString("namespace"),
            answer.getString("workspace")));
    print("asked node %s of region %s"
        .formatted(answer.getString("node"), answer.getString("region")));
    JsonObject override = answer.getJsonObject("override");
    print(
        override == null
            ? "no override"
            : "override %s of %s: %d per %s"
                .formatted(
                    override.getString("id"),
                    override.getString("identifier"),
                    override.getLong("limit"),
                    time(override.getLong("windowMillis"))));
    JsonArray windows = answer.getJsonArray("windows");
    if (windows.isEmpty()) {
      print("this node does not follow this namespace; name a window with --duration");
    }
    for (Object window : windows) {
      printWindow((JsonObject) window);
    }
  }

  private void printWindow(JsonObject window) {
    command.commandLine().getOut().println();
    Long known = window.getLong("limit");
    print("window %s: %d%s"
        .formatted(
            time(window.getLong("windowMillis")),
            window.getLong("effective"),
            known == null
                ? " counted; the limit is not known, give it with --limit"
                : " of " + known + " used (limit of " + source(window) + "), "
                    + window.getLong("remaining") + " left" + freesUp(window)));
    Long strictUntil = window.getLong("strictUntil");
    if (strictUntil != null) {
      print("  strict mode until " + clock(strictUntil)
          + ": a request was denied less than a window ago");
    }
    if (window.getBoolean("degraded")) {
      print("  degraded: the next decision needs Redis, which does not answer");
    }
    print("  this node: " + memory(window));
    for (Object cell : window.getJsonArray("cells")) {
      printCell((JsonObject) cell, window);
    }
  }

  private static String source(JsonObject window) {
    return switch (window.getString("limitSource")) {
      case "override" -> "the override";
      case "request" -> "--limit";
      case "rule" -> "the rule";
      default -> "recent requests";
    };
  }

  private static String freesUp(JsonObject window) {
    long wait = window.getLong("retryAfterMillis");
    if (window.getBoolean("allowed")) {
      return "; a request of cost 1 is allowed";
    }
    return wait < 0 ? "; every request is denied" : "; denied, free again in " + seconds(wait);
  }

  private static String memory(JsonObject window) {
    if (!window.getBoolean("inMemory")) {
      return "no counts in memory";
    }
    Long age = window.getLong("answerAgeMillis");
    return window.getJsonObject("origin").getString("status").equals("unused")
        ? "counts alone, without Redis"
        : age == null
            ? "Redis has not answered about this window yet"
            : "last answer of Redis " + seconds(age) + " ago";
  }

  private void printCell(JsonObject cell, JsonObject window) {
    print("  %s window from %s, weight %s: %d in memory (own %d, other nodes %d, other regions %d)"
        .formatted(
            cell.getString("cell"),
            clock(cell.getLong("startsAt")),
            cell.getDouble("weight"),
            cell.getLong("total"),
            cell.getLong("own"),
            cell.getLong("peers"),
            cell.getLong("imported")));
    printCounts(cell, "nodes", "node", "by node in Redis", window.getJsonObject("origin"));
    printCounts(
        cell,
        "regions",
        "region",
        "by region in the database",
        window.getJsonObject("globalCounters"));
  }

  private void printCounts(
      JsonObject cell, String counts, String label, String title, JsonObject store) {
    if (store.getString("status").equals("failed")) {
      print("    " + title + ": unknown (" + store.getString("reason") + ")");
    } else if (store.getString("status").equals("ok")) {
      StringJoiner all = new StringJoiner(", ");
      all.setEmptyValue("none");
      for (Object each : cell.getJsonArray(counts)) {
        JsonObject count = (JsonObject) each;
        all.add(count.getString(label) + " " + count.getLong("count"));
      }
      print("    " + title + ": " + all);
    }
  }

  private static String time(long millis) {
    return Durations.show(Duration.ofMillis(millis));
  }

  private static String seconds(long millis) {
    return millis < 10_000
        ? millis / 1_000 + "." + millis % 1_000 / 100 + " s"
        : (millis + 999) / 1_000 + " s";
  }

  private static String clock(long millis) {
    return Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Prints a line, in which text of clients cannot start another one. */
  private void print(String line) {
    command.commandLine().getOut().println(Escaped.of(line));
  }
}
