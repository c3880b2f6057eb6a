package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidegate.testkit.PipBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Runs external programs, which may not be installed. */
final class Programs {

  /** The system property with which {@link #orSkip} fails tests. The continuous build sets it. */
  static final String REQUIRED = "tidegate.programs=required";

  private Programs() {}

  /**
   * Starts a program that is fetched if necessary. If it can be neither found nor fetched, skips
   * the test, or fails it with {@link #REQUIRED}.
   */
  static <T> T orSkip(Supplier<T> start) {
    try {
      return start.get();
    } catch (PipBinary.UnavailableException e) {
      if ("required".equals(System.getProperty("tidegate.programs"))) {
        throw e;
      }
      System.err.println("SKIPPED: " + e.getMessage());
      return abort("skipped: " + e.getMessage());
    }
  }

  /** Whether a program is installed. */
  static boolean isInstalled(String program) {
    try {
      return new ProcessBuilder(program, "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Runs a program, and fails with its output unless its exit code is 0. */
  static void run(
      Duration longest, Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = directory.resolve(command[0] + ".log");
    ProcessBuilder builder = new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    boolean ended = process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended && process.exitValue() == 0)
        .as(() -> read(output) + "\n" + String.join(" ", command)
            + (ended ? " ended with code " + process.exitValue() : " did not end"))
        .isTrue();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
