package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Commands;
import io.tidegate.server.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Completeness of docs/operating.md. */
class OperatingGuideTest {

  private static final Pattern COMMAND =
      Pattern.compile("(?s)\\$ \\./tidegate ([^\n]*)\n(.*?)\n(?=\n\\$ |```)");

  private final String guide;

  OperatingGuideTest() throws IOException {
    guide = Files.readString(Path.of("../docs/operating.md"));
  }

  @Test
  void namesEverySetting() {
    CommandSpec serve = CommandSpec.create();
    ServerConfig.declare(serve);
    List<String> settings = serve.options().stream()
        .map(option -> "`" + option.longestName().substring(2) + "`")
        .toList();
    assertThat(settings).hasSizeGreaterThan(25).allMatch(guide::contains);
  }

  @Test
  void namesEveryCommandOfTheCatalog() {
    Map<String, CommandLine> commands = commands(System.out, System.err).getSubcommands();
    for (String group : List.of("workspaces", "keys", "namespaces", "overrides", "audit")) {
      String row = guide
          .lines()
          .filter(line -> line.startsWith("| `./tidegate " + group + "`"))
          .findFirst()
          .orElseThrow(() -> new AssertionError("no row of " + group));
      assertThat(Objects.requireNonNull(commands.get(group)).getSubcommands().keySet())
          .allSatisfy(name -> assertThat(row).contains("`" + name + "`"));
    }
  }

  @Test
  void commandsPrintWhatTheGuideShows(@TempDir Path directory) {
    try (Node node = Node.start("--data=" + directory)) {
      node.ask(
          "limit",
          Json.object("namespace", "login", "identifier", "x", "limit", 1, "duration", 60_000));
      List<MatchResult> shown = COMMAND.matcher(guide).results().toList();
      assertThat(shown).hasSize(5);
      for (MatchResult command : shown) {
        List<String> arguments =
            new ArrayList<>(List.of(command.group(1).replace("'", "").split(" ")));
        arguments.add("--data=" + directory);
        assertThat(withoutValues(run(arguments))).isEqualTo(withoutValues(command.group(2)));
      }
    }
  }

  private static String run(List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    commands(new PrintStream(out, true, StandardCharsets.UTF_8), System.err)
        .execute(arguments.toArray(String[]::new));
    return out.toString(StandardCharsets.UTF_8).strip();
  }

  private static CommandLine commands(PrintStream out, PrintStream err) {
    return Commands.commandLine(Map.of(), out, err, (config, stream) -> 0);
  }

  /** Replaces ids and times, which have the same length everywhere. */
  private static String withoutValues(String output) {
    return output
        .replaceAll("(ws|key|rlns|rlor)_[0-9A-Za-z]{9}", "$1_")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ", "time");
  }

  @Test
  void namesEveryMetric() {
    try (Node node = Node.start()) {
      List<String> metrics = Node.send(
              HttpRequest.newBuilder(node.adminUri("/metrics")).build())
          .body()
          .lines()
          .filter(line -> line.startsWith("# TYPE tidegate_"))
          .map(line -> "`" + line.split(" ", -1)[2])
          .toList();
      assertThat(metrics).hasSizeGreaterThan(30).allMatch(guide::contains);
    }
  }
}
