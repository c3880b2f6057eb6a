package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }

  @Test
  void helpListsTheOptions() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("tidegate demo", "--minutes", "--port", "--no-browser");
  }

  @Test
  void errorsNameTheValue() {
    assertThat(run("--minutes", "0")).isEqualTo(2);
    assertThat(run("--port", "70000")).isEqualTo(2);
    assertThat(run("--port", "http")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--minutes must be between 1 and 1440: 0")
        .contains("--port must be between 0 and 65535: 70000")
        .contains("'http' is not an int");
  }
}
