package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The settings and the commands of docs/deploy.md. */
@Timeout(180)
class DeployPageTest {

  private final String page;

  @TempDir
  private Path root;

  DeployPageTest() throws IOException {
    page = Files.readString(Path.of("..", "docs", "deploy.md"));
  }

  /** The code blocks of a language below a heading. */
  private List<String> blocks(String heading, String language) {
    Matcher section = Pattern.compile(
            "^##+ " + heading + "\n(.*?)(?=^##+ |\\z)", Pattern.DOTALL | Pattern.MULTILINE)
        .matcher(page);
    assertThat(section.find()).as(heading).isTrue();
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(section.group(1))
        .results()
        .map(block -> block.group(1))
        .toList();
  }

  private static String only(List<String> blocks) {
    assertThat(blocks).hasSize(1);
    return blocks.get(0);
  }

  @Test
  void serverAcceptsTheSettingsOfTheService() throws IOException {
    Path settings = root.resolve("tidegate.yaml");
    Files.writeString(settings, only(blocks("As a service of systemd", "yaml")));
    Cli.assertAccepted(Map.of(), "--config", settings.toString());
  }

  @Test
  void serverAcceptsTheEnvironmentOfTheContainer() {
    Map<String, String> environment = Pattern.compile("(?m)^(TIDEGATE_\\w+)=(.*)$")
        .matcher(blocks("In a container", "sh").get(1))
        .results()
        .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));
    assertThat(environment).hasSizeGreaterThan(5);
    Cli.assertAccepted(environment);
  }

  @Test
  void chartAcceptsTheValuesAndTheServerTheirEnvironment() throws IOException {
    Path values = root.resolve("region.yaml");
    Files.writeString(values, only(blocks("In Kubernetes", "yaml")));
    Map<String, String> secret = new TreeMap<>(Map.of("first-root-key", "0123456789".repeat(4)));
    Pattern.compile("--from-literal=([a-z-]+)=(\\S+)")
        .matcher(blocks("In Kubernetes", "sh").get(1))
        .results()
        .forEach(literal -> secret.putIfAbsent(literal.group(1), literal.group(2)));
    Manifests manifests = Chart.render(values, Map.of());
    Path pod = Files.createDirectory(root.resolve("pod"));
    Cli.assertAccepted(new PodFiles(pod, manifests, Map.of("tidegate", secret)).environment());
  }

  @Test
  void chartAcceptsTheFlagsOfTheTrial() throws IOException {
    Map<String, Object> flags = Pattern.compile("--set (\\S+?)=(\\S+)")
        .matcher(blocks("In Kubernetes", "sh").get(0))
        .results()
        .collect(Collectors.toMap((MatchResult flag) -> flag.group(1), flag -> flag.group(2)));
    Manifests manifests = Chart.render(flags);
    assertThat(manifests.ofKind("PersistentVolumeClaim")).hasSize(1);
    Cli.assertAccepted(new PodFiles(root, manifests, Map.of()).environment());
  }

  @Test
  void keysOfTheCatalogFileWorkAfterARestore() throws Exception {
    Files.createDirectories(root.resolve("var/backups"));
    List<String> commands = blocks("Catalog in a file", "sh").stream()
        .map(block -> block.replace("/var/", root + "/var/"))
        .toList();
    assertThat(commands).hasSize(2);
    Path data = root.resolve("var/lib/tidegate/tidegate-data");
    Path file = data.resolve("catalog/catalog.db");
    String key;
    try (RunningNode node = RunningNode.start("--data=" + data)) {
      key = node.firstKey();
      assertThat(node.status(key)).isEqualTo(200);
      backUp(file, commands.get(0));
    }
    Files.delete(file);
    // Without the commands that stop and start the service, and the user of the service.
    sh(commands.get(1).replaceAll("systemctl .*", "").replace(" -o tidegate -g tidegate", ""));
    try (RunningNode node = RunningNode.start("--data=" + data)) {
      assertThat(node.status(key)).isEqualTo(200);
      assertThat(node.status("another-key-of-20-characters")).isEqualTo(401);
    }
  }

  /** Runs the SQL of a command of sqlite3, which may not be installed. */
  private static void backUp(Path file, String command) throws SQLException {
    Matcher sqlite = Pattern.compile("sqlite3 (\\S+) \"(.*)\"").matcher(command.strip());
    assertThat(sqlite.matches()).isTrue();
    assertThat(sqlite.group(1)).isEqualTo(file.toString());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + sqlite.group(1));
        Statement statement = connection.createStatement()) {
      statement.execute(sqlite.group(2));
    }
  }

  @Test
  void keysOfTheDatabaseWorkDuringAndAfterARestore() throws Exception {
    List<String> commands = blocks("Catalog in a database", "sh");
    assertThat(commands).hasSize(2);
    try (MariaDbServer database = MariaDbServer.start()) {
      Files.writeString(
          root.resolve(".my.cnf"),
          "[client]\nhost=127.0.0.1\nport=%d\nuser=root\nskip-ssl\n".formatted(database.port()));
      String url = "--jdbc-url=" + database.jdbcUrl();
      try (RunningNode node = RunningNode.start("--region=eu", url)) {
        String key = node.firstKey();
        Waiting.await("status ok", () -> isOk(node));
        assertThat(tables(database)).allSatisfy(table -> assertThat(page).contains(table));
        sh(commands.get(0));

        String newer = newKey(database);
        Waiting.await("a newer key", () -> node.status(newer) == 200);
        CompletableFuture<Void> restore = CompletableFuture.runAsync(() -> sh(commands.get(1)));
        Waiting.await("an end of the restore", () -> {
          assertThat(node.status(key)).isEqualTo(200);
          return restore.isDone() && node.status(newer) == 401;
        });
        restore.join();

        sh("mariadb --execute='DROP DATABASE tidegate; CREATE DATABASE tidegate'");
        Waiting.await("a failure", () -> !isOk(node));
        assertThat(node.status(key)).isEqualTo(200);
        sh(commands.get(1));
        try (RunningNode started = RunningNode.start("--region=us", url)) {
          assertThat(started.status(key)).isEqualTo(200);
          Waiting.await("status ok again", () -> isOk(node) && isOk(started));
        }
        assertThat(node.status(key)).isEqualTo(200);
      }
    }
  }

  private static boolean isOk(RunningNode node) {
    return node.admin("/ready").body().contains("\"status\":\"ok\",\"reader\"");
  }

  private static List<String> tables(MariaDbServer database) {
    List<String> tables = database
        .query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'tidegate'")
        .stream()
        .map(row -> row.get(0))
        .toList();
    assertThat(tables).hasSizeGreaterThan(8);
    return tables;
  }

  private static String newKey(MariaDbServer database) {
    Cli created =
        Cli.run(Map.of(), "keys", "create", "--name=newer", "--jdbc-url=" + database.jdbcUrl());
    assertThat(created.code()).as(created.toString()).isZero();
    return created
        .out()
        .strip()
        .lines()
        .reduce((first, last) -> last)
        .orElseThrow()
        .strip();
  }

  /** Runs commands in the directory of the test, with the client programs of MariaDB. */
  private void sh(String commands) {
    Path output = root.resolve("output");
    try {
      ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", commands)
          .directory(root.toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile());
      builder.environment().put("HOME", root.toString());
      if (commands.contains("mariadb")) {
        builder.environment().merge("PATH", clients().toString(), (path, bin) -> bin + ":" + path);
      }
      Process process = builder.start();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Path clients() {
    return MariaDbServer.clients().orElseGet(() -> {
      System.err.println("SKIPPED: no client programs of MariaDB for this platform");
      return abort("skipped: no client programs of MariaDB for this platform");
    });
  }
}
