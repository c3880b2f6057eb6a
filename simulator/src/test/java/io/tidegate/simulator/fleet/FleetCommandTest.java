package io.tidegate.simulator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FleetCommandTest {

  private static String rejection(String... arguments) {
    StringWriter errors = new StringWriter();
    int code = new CommandLine(new FleetCommand())
        .setErr(new PrintWriter(errors, true))
        .execute(arguments);
    assertThat(code).isEqualTo(2);
    return errors.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--shape 3x|--shape must be 1x, 10x or 100x: [3x]",
        "--shape 1x,2x|--shape must be 1x, 10x or 100x: [1x, 2x]",
        "--max-series 0|--max-series must be at least 1: 0",
        "--policy gossip|--policy must be adaptive-0.25s, adaptive-5s or floor-0.5-10s: gossip",
        "--json /nowhere/figures.json|--json must be a file that can be written"
      })
  void rejectsInvalidOptions(String arguments, String message) {
    assertThat(rejection(arguments.split(" "))).contains(message);
  }

  @Test
  void aQuickRunPrintsTablesAndWritesJson(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("figures.json");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      int code = new CommandLine(new FleetCommand()).execute("--quick", "--json", json.toString());
      assertThat(code).isZero();
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("**Quick run**")
        .contains("| 1x, one in 48 | 10 | 33 | 24,000 | 500 |")
        .contains("### The database")
        .contains("| 1x, one in 48: no call fails, and no loss of counts is reported | met | 0 |");
    assertThat(Files.readString(json)).contains("\"sample\": 48");
  }
}
