package io.tidegate.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Terminal.Result;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.Logging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  @TempDir
  private Path directory;

  private final Terminal terminal = new Terminal();

  /** The command serve replaces the handlers of the log. */
  @AfterEach
  void restoreLog() {
    Logging.configure(LogFormat.TEXT, LogLevel.ERROR, System.err);
  }

  @Test
  void serveStartsTheServerWithItsSettings() {
    Result result = terminal.set("TIDEGATE_REGION", "eu").run("serve", "--http-port", "0");
    assertThat(result).isEqualTo(new Result(7, "served" + System.lineSeparator(), ""));
    assertThat(terminal.served()).singleElement().satisfies(config -> {
      assertThat(config.listen().http().port()).isZero();
      assertThat(config.region().name()).isEqualTo("eu");
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void printsTheVersionAndTheCommitOfTheBuild(String flag) throws IOException {
    Result result = terminal.run(flag);
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    Matcher line = Pattern.compile(
            "tidegate (\\d+\\.\\d+\\.\\d+(-SNAPSHOT)?) \\(commit ([0-9a-f]{12}(-dirty)?|unknown)\\)\\R")
        .matcher(result.out());
    assertThat(line.matches()).as(result.out()).isTrue();
    assertThat(Files.readString(Path.of("../pom.xml"))).contains("<version>" + line.group(1));
    assertThat(line.group(3).equals("unknown")).isNotEqualTo(Files.exists(Path.of("../.git")));
  }

  @Test
  void checkConfigListsIgnoredVariablesOfKubernetes() {
    terminal
        .set("TIDEGATE_PORT", "tcp://10.0.0.1:8080")
        .set("TIDEGATE_SERVICE_HOST", "10.0.0.1")
        .set("TIDEGATE_HTTP_PORT", "tcp://10.0.0.1:80");
    Result result = terminal.run("check-config");
    assertThat(result.exitCode()).isZero();
    assertThat(result.err())
        .isEqualTo("tidegate: ignoring variables that Kubernetes sets for a service:"
            + " TIDEGATE_HTTP_PORT, TIDEGATE_PORT, TIDEGATE_SERVICE_HOST"
            + System.lineSeparator());
  }

  @Test
  void serveLogsItsWarnings() {
    Result result = terminal.run("serve", "--test-clock", "--log-format=json");
    assertThat(result.err()).startsWith("{\"time\":").contains("\"WARN\"", "test-clock is on");
  }

  @Test
  void checkConfigDoesNotServe() {
    assertThat(terminal.run("check-config", "--http-port=0"))
        .isEqualTo(new Result(0, "ok" + System.lineSeparator(), ""));
    assertThat(terminal.run("check-config", "--test-clock").err())
        .startsWith("tidegate: warning: test-clock is on");
    assertThat(terminal.served()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "check-config"})
  void everyInvalidSettingIsReported(String command) throws IOException {
    Path file = Files.writeString(directory.resolve("t.yaml"), "http-prot: 80");
    terminal.set("TIDEGATE_ADMIN_PORT", "x").set("TIDEGATE_CONFIG", file.toString());
    Result result = terminal.run(command, "--redis-cluster");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines())
        .containsExactlyInAnyOrder(
            "tidegate: " + file + ", line 1: unknown setting http-prot; did you mean http-port?",
            "tidegate: admin-port must be a whole number from 0 to 65535: x (TIDEGATE_ADMIN_PORT)",
            "tidegate: redis-cluster needs redis-uri with one or more nodes of the cluster: true (--redis-cluster)");
    assertThat(terminal.served()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ''                             | a command is missing: serve, check-config, settings, health, keys, workspaces, namespaces, overrides, audit, rules, limit, inspect, top, cleanup
      sreve                          | unknown command: sreve; did you mean serve?
      keys                           | a command is missing: create, disable, enable, list, revoke
      workspaces                     | a command is missing: create, list, update
      namespaces                     | a command is missing: create, delete, list, restore
      overrides                      | a command is missing: delete, list, set
      overrides list                 | Missing required parameter: 'NAMESPACE'
      overrides set login            | Missing required options and parameters: '--limit=N', '--duration=TIME', 'IDENTIFIER'
      overrides set login a --limit=1 | Missing required option: '--duration=TIME'
      overrides delete login         | Missing required parameter: 'IDENTIFIER'
      audit login                    | unknown argument: login
      rules                          | a command is missing: check, explain
      rules check                    | Missing required parameter: 'DIRECTORY'
      rules explain rules            | Missing required parameter: 'KEY=VALUE'
      keys make                      | unknown command: make
      serve --check                  | unknown option: --check; did you mean --help?
      serve --http-prot=80           | unknown option: --http-prot; did you mean --http-port?
      serve --jdbc-passwrd=hunter2   | unknown option: --jdbc-passwrd; did you mean --jdbc-password?
      serve --jdbc-passwrd hunter2   | unknown option: --jdbc-passwrd; did you mean --jdbc-password?
      serve now                      | unknown argument: now
      serve --http-port              | Missing required parameter for option '--http-port' (PORT)
      serve --http-port=1 --http-port=2 | option '--http-port' (PORT) should be specified only once
      keys create                    | Missing required option: '--name=NAME'
      keys revoke                    | Missing required parameter: 'ID'
      keys list --http-port=80       | unknown option: --http-port
      workspaces create              | Missing required parameter: 'NAME'
      workspaces update ws_1         | nothing to change: give --requests-per-minute, --enable or --disable
      workspaces update ws_1 --enable --disable | --enable and --disable are mutually exclusive
      """)
  void invalidUsageIsReportedInOneLine(String arguments, String message) {
    Result result = terminal.run(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err().lines().toList()).hasSize(2).first().isEqualTo("tidegate: " + message);
    assertThat(result.err()).contains("--help' for more information");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "serve",
        "check-config",
        "keys",
        "keys create",
        "keys list",
        "keys revoke",
        "keys disable",
        "keys enable",
        "workspaces",
        "workspaces create",
        "workspaces list",
        "workspaces update",
        "namespaces",
        "namespaces list",
        "namespaces create",
        "namespaces delete",
        "namespaces restore",
        "overrides",
        "overrides list",
        "overrides set",
        "overrides delete",
        "audit",
        "rules",
        "rules check",
        "rules explain",
        "settings",
        "health",
        "limit",
        "cleanup"
      })
  void everyCommandHasHelp(String command) {
    Result result = terminal.run((command + " --help").strip().split(" "));
    assertThat(result.exitCode()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out().lines())
        .allMatch(line -> line.length() <= 100)
        .first()
        .asString()
        .startsWith(("Usage: tidegate " + command).strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keys list",
        "workspaces list",
        "namespaces list",
        "keys create",
        "overrides set",
        "audit"
      })
  void catalogCommandsHaveTheSettingsOfTheCatalogOnly(String command) {
    assertThat(terminal.run((command + " --help").split(" ")).out())
        .contains("--jdbc-url", "--data", "--config", "TIDEGATE_JDBC_PASSWORD")
        .doesNotContain("--http-port", "--redis-uri");
  }

  @Test
  void launcherRunsAndDescribesEveryCommand() throws IOException {
    String script = Files.readString(Path.of("../tidegate"));
    String usage = script.substring(script.indexOf("Usage:"), script.indexOf("TEXT\n}"));
    Set<String> run = Set.of(script
        .replaceFirst("(?s).*\n  (serve [^)]*)\\)\n    run server.*", "$1")
        .split(" \\| "));
    Set<String> commands = Commands.commandLine(Map.of(), System.out, System.err, (c, o) -> 0)
        .getSubcommands()
        .keySet();
    assertThat(run).containsAll(commands);
    assertThat(commands).allSatisfy(name -> assertThat(usage).contains("\n  " + name + " "));
  }

  @Test
  void directoryWithoutACatalogIsAnError() {
    Path nowhere = directory.resolve("nowhere");
    Result result = terminal.run("keys", "list", "--data", nowhere.toString());
    assertThat(result)
        .isEqualTo(new Result(
            1,
            "",
            "tidegate: no catalog in " + nowhere
                + "; create it with 'tidegate serve', or name another with --data or --jdbc-url"
                + System.lineSeparator()));
    assertThat(nowhere).doesNotExist();
  }

  @Test
  void settingsOfOtherCommandsAreIgnored() throws IOException {
    Path file = Files.writeString(directory.resolve("t.yaml"), "http-port: 9000\nregion: eu\n");
    Result result = terminal
        .set("TIDEGATE_HTTP_PORT", "80")
        .run("keys", "list", "--config=" + file, "--data=" + directory.resolve("nowhere"));
    assertThat(result.err()).contains("no catalog in");
  }
}
