package io.tidegate.server;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Schemathesis generates requests from {@code openapi.yaml} and compares the answers with it. The
 * versions are those of {@code src/test/schemathesis/requirements.txt}. Skipped without Python, or
 * if the packages cannot be installed.
 */
class SchemathesisTest {

  /** Packages may come over a slow network. */
  private static final Duration INSTALL_TIMEOUT = Duration.ofMinutes(3);

  /** It takes some 10 s; on a machine with much else to do, 30 s. */
  private static final Duration RUN_TIMEOUT = Duration.ofMinutes(2);

  private static final String SEED = "42";

  /** Test cases per operation, after those for examples and boundary values. */
  private static final String MAX_EXAMPLES = "50";

  /**
   * Checks that require 401 for a request without Authorization. It is 400 here, which clients rely
   * on and the document states; {@code ErrorsTest} checks it.
   */
  private static final String EXCLUDED_CHECKS = "ignored_auth,missing_required_header";

  private static final Path REQUIREMENTS =
      Path.of("src", "test", "schemathesis", "requirements.txt").toAbsolutePath();
  private static final Path DIRECTORY = Path.of("target", "schemathesis").toAbsolutePath();
  private static final Path PROGRAMS = DIRECTORY.resolve("venv").resolve("bin");

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    assumeTrue(Programs.isInstalled("python3"), "skipped: there is no python3 on the PATH");
    Files.createDirectories(DIRECTORY);
    try {
      if (!Files.exists(PROGRAMS)) {
        run(INSTALL_TIMEOUT, "python3", "-m", "venv", "venv");
      }
      run(
          INSTALL_TIMEOUT,
          PROGRAMS.resolve("python").toString(),
          "-m",
          "pip",
          "install",
          "--quiet",
          "--requirement",
          REQUIREMENTS.toString());
    } catch (AssertionError e) {
      abort("skipped: Schemathesis cannot be installed: " + e.getMessage());
    }
  }

  private static void run(Duration timeout, String... command)
      throws IOException, InterruptedException {
    Programs.run(timeout, DIRECTORY, Map.of(), command);
  }

  @Test
  void answersAreAsTheDocumentSays() throws IOException, InterruptedException {
    try (Node node = Node.start()) {
      run(
          RUN_TIMEOUT,
          PROGRAMS.resolve("schemathesis").toString(),
          "--no-color",
          "run",
          node.uri("/openapi.yaml").toString(),
          "--header=Authorization: Bearer " + node.key(),
          "--exclude-checks=" + EXCLUDED_CHECKS,
          "--seed=" + SEED,
          "--max-examples=" + MAX_EXAMPLES,
          "--generation-database=none",
          "--continue-on-failure");
    }
  }
}
