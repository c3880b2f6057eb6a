package io.tidegate.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Runs the clients from the npm registry that {@code src/test/npm/package.json} lists against a
 * server. The checks are in {@code clients.test.mjs}.
 */
class NpmClientsTest {

  /** Allows for a slow network. */
  private static final Duration LONGEST_INSTALL = Duration.ofMinutes(3);

  private static final Duration LONGEST_RUN = Duration.ofMinutes(1);

  private static final String PREFIX = "/some/prefix";
  private static final Path SOURCE = Path.of("src", "test", "npm");

  /** A copy outside the sources, since npm installs packages into it. */
  private static final Path DIRECTORY = Path.of("target", "npm");

  @BeforeAll
  static void findNode() {
    for (String program : List.of("node", "npm")) {
      assumeTrue(Programs.isInstalled(program), "skipped: " + program + " is not on the PATH");
    }
  }

  @Test
  void clientsPassTheirTests() throws Exception {
    Files.createDirectories(DIRECTORY);
    for (String file : List.of("package.json", "package-lock.json", "clients.test.mjs")) {
      Files.copy(
          SOURCE.resolve(file), DIRECTORY.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Programs.run(
        LONGEST_INSTALL,
        DIRECTORY,
        Map.of(),
        "npm",
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund");

    try (Node node = Node.start();
        Node prefixed = Node.start("--base-path=" + PREFIX)) {
      String throttled = node.catalog().createWorkspace("throttled", 0L).id();
      String deleted = node.catalog()
          .createNamespace(node.workspaceId(), "npm deleted", "test")
          .id();
      node.catalog().deleteNamespace(deleted, "test");
      Programs.run(
          LONGEST_RUN,
          DIRECTORY,
          Map.of(
              "TIDEGATE_URL",
              node.uri("").toString(),
              "TIDEGATE_PREFIXED_URL",
              prefixed.uri(PREFIX).toString(),
              "TIDEGATE_PREFIXED_KEY",
              prefixed.key(),
              "TIDEGATE_KEY",
              node.key(),
              "TIDEGATE_LIMIT_ONLY_KEY",
              node.newKey("ratelimit.*.limit"),
              "TIDEGATE_THROTTLED_KEY",
              node.newKeyOf(throttled, "ratelimit.*.limit")),
          "node",
          "--test",
          "clients.test.mjs");
    }
  }
}
