package io.tidegate.simulator.overshoot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OvershootCommandTest {

  private static String rejection(String... arguments) {
    StringWriter errors = new StringWriter();
    int code =
        new CommandLine(new OvershootCommand()).setErr(new PrintWriter(errors)).execute(arguments);
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    return errors.toString().lines().findFirst().orElseThrow();
  }

  @Test
  void rejectsInvalidOptions() {
    assertThat(rejection("--regions", "1")).isEqualTo("--regions must be between 2 and 50: 1");
    assertThat(rejection("--limit", "0")).isEqualTo("--limit must be between 1 and 20000: 0");
    assertThat(rejection("--load", "2,0"))
        .isEqualTo("--load must be more than 0 and at most 100: [2.0, 0.0]");
    assertThat(rejection("--traffic", "even,odd")).contains("bleed-in").endsWith("but was 'odd'");
  }

  @Test
  void rejectsFilesThatCannotBeWritten(@TempDir Path folder) {
    String nowhere = folder.resolve("no/where").toString();
    assertThat(rejection("--json", nowhere))
        .isEqualTo("--json must be a file that can be written: " + nowhere);
    assertThat(rejection("--plots", nowhere))
        .isEqualTo("--plots must be a directory that can be written to: " + nowhere);
  }
}
