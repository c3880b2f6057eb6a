package io.tidegate.server.command;

import io.tidegate.server.config.Durations;
import io.tidegate.server.log.Escaped;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the busiest and the most denied identifiers, live. */
@Command(
    name = "top",
    description = {
      "Show the most denied and the busiest identifiers of each namespace and region, live.",
      "",
      "Asks the admin port of a running node; nodes that share a database are shown together.",
      "Numbers are estimates: '(-N)' says that up to N may belong to other identifiers."
    })
final class TopCommand implements Runnable {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final int MAX_TRIES = 10;

  /** Moves the cursor to the top left and erases everything below it. */
  private static final String CLEAR = "\u001b[H\u001b[J";

  /** Rows of a list, to leave both lists on a screen of 24 lines. */
  private static final int DEFAULT_ROWS = 8;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Mixin
  private final AdminClient node;

  @Option(names = "--namespace", paramLabel = "NAME", description = "Show only this namespace.")
  private @Nullable String namespace;

  @Option(names = "--region", paramLabel = "NAME", description = "Show only this region.")
  private @Nullable String region;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "" + DEFAULT_ROWS,
      description = {
        "Identifiers in each list, of which at most 10 are of the same namespace and region.",
        "Default: " + DEFAULT_ROWS + "."
      })
  private int rows;

  @Option(names = "--once", description = "Print once and exit.")
  private boolean once;

  @Option(names = "--json", description = "Print the namespaces once, as JSON, and exit.")
  private boolean json;

  TopCommand(Map<String, String> environment) {
    this.node = new AdminClient(environment);
  }

  /** One line of a list. */
  private record Row(
      String namespace,
      String region,
      String identifier,
      long perMinute,
      long error,
      String limit) {}

  @Override
  public void run() {
    if (rows < 1) {
      throw new ParameterException(command.commandLine(), "--rows must be at least 1: " + rows);
    }
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      JsonArray chosen = new JsonArray();
      chosen(state()).forEach(chosen::add);
      out.println(AdminClient.print(chosen.encodePrettily()));
      return;
    }
    while (true) {
      String text = describe(state());
      out.print(once ? text : CLEAR + text);
      out.flush();
      if (once || !pause()) {
        return;
      }
    }
  }

  /**
   * The first answer after a while may lack the other nodes, which the node then begins to read.
   */
  private JsonObject state() {
    JsonObject state = node.get("state");
    for (int tries = 0; tries < MAX_TRIES && isReading(state) && pause(); tries++) {
      state = node.get("state");
    }
    return state;
  }

  private static boolean isReading(JsonObject state) {
    return state.getJsonObject("fleet").getString("status").equals("reading");
  }

  private static boolean pause() {
    try {
      Thread.sleep(INTERVAL.toMillis());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String describe(JsonObject state) {
    StringBuilder text = new StringBuilder();
    double allowed = 0;
    double denied = 0;
    int live = 0;
    for (Object each : state.getJsonArray("nodes")) {
      JsonObject one = (JsonObject) each;
      if (!one.getString("state", "").equals("gone")) {
        live++;
        allowed += one.getDouble("allowedPerSecond", 0.0);
        denied += one.getDouble("deniedPerSecond", 0.0);
      }
    }
    text.append(String.format(
        Locale.ROOT,
        "%s  %d %s  %.0f allowed/s  %.0f denied/s%n",
        Instant.ofEpochMilli(state.getLong("time")).truncatedTo(ChronoUnit.SECONDS),
        live,
        live == 1 ? "node" : "nodes",
        allowed,
        denied));
    if (state.getJsonObject("fleet").getString("status").equals("unavailable")) {
      text.append("other nodes may be missing: ")
          .append(Escaped.of(state.getJsonObject("fleet").getString("reason")))
          .append(System.lineSeparator());
    }
    List<JsonObject> chosen = chosen(state);
    append(text, "MOST DENIED, LAST MINUTE", rows(chosen, "mostDenied"));
    append(text, "BUSIEST, LAST MINUTE", rows(chosen, "busiest"));
    return text.toString();
  }

  /** The namespaces that the options choose, with the regions that they choose. */
  private List<JsonObject> chosen(JsonObject state) {
    List<JsonObject> chosen = new ArrayList<>();
    for (Object each : state.getJsonArray("namespaces")) {
      JsonObject one = (JsonObject) each;
      JsonArray regions = new JsonArray();
      for (Object part : one.getJsonArray("regions")) {
        if (region == null || region.equals(((JsonObject) part).getString("region"))) {
          regions.add(part);
        }
      }
      if ((namespace == null || namespace.equals(one.getString("namespace")))
          && !regions.isEmpty()) {
        chosen.add(one.copy().put("regions", regions));
      }
    }
    return chosen;
  }

  private List<Row> rows(List<JsonObject> namespaces, String list) {
    List<Row> all = new ArrayList<>();
    for (JsonObject one : namespaces) {
      for (Object each : one.getJsonArray("regions")) {
        JsonObject part = (JsonObject) each;
        for (Object identifier : part.getJsonArray(list)) {
          all.add(
              row(one.getString("namespace"), part.getString("region"), (JsonObject) identifier));
        }
      }
    }
    return all.stream()
        .sorted(Comparator.comparingLong(Row::perMinute).reversed())
        .limit(rows)
        .toList();
  }

  private static Row row(String namespace, String region, JsonObject identifier) {
    return new Row(
        namespace,
        region,
        identifier.getString("identifier"),
        identifier.getLong("perMinute"),
        identifier.getLong("error"),
        identifier.getLong("limit") + " per "
            + Durations.show(Duration.ofMillis(identifier.getLong("windowMillis"))));
  }

  private static void append(StringBuilder text, String title, List<Row> rows) {
    text.append(System.lineSeparator()).append(title).append(System.lineSeparator());
    if (rows.isEmpty()) {
      text.append("none").append(System.lineSeparator());
      return;
    }
    text.append(new Listing<Row>()
            .shown(
                "requests", row -> row.perMinute + (row.error == 0 ? "" : " (-" + row.error + ")"))
            .shown("namespace", Row::namespace)
            .shown("region", Row::region)
            .shown("limit", Row::limit)
            .shown("identifier", row -> Escaped.of(row.identifier()))
            .table(rows))
        .append(System.lineSeparator());
  }
}
