package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

  private final StringWriter errors = new StringWriter();
  private final StringWriter output = new StringWriter();
  private final CommandLine bench =
      Main.commandLine().setErr(new PrintWriter(errors)).setOut(new PrintWriter(output));

  @ParameterizedTest
  @ValueSource(strings = {"local", "regional", "global", "http", "overload", "rls", "web"})
  void helpShowsTheOptions(String benchmark) {
    assertThat(bench.execute(benchmark, "--help")).isZero();
    assertThat(output.toString())
        .contains("tidegate bench " + benchmark)
        .contains("--quick")
        .contains("--json")
        .contains("--rounds");
  }

  @Test
  void helpOfASoakShowsItsLength() {
    assertThat(bench.execute("soak", "--help")).isZero();
    assertThat(output.toString()).contains("--minutes", "--rate", "--quick", "--json", "--pin");
  }

  @Test
  void invalidArgumentsAreNamed() {
    assertRejected("--rounds must be between 1 and 100: 0", "local", "--rounds", "0");
    assertRejected("'many'", "local", "--rounds", "many");
    assertRejected("no/such/folder/figures.json", "local", "--json", "no/such/folder/figures.json");
    assertRejected("--rounds must be between 1 and 100: 101", "regional", "--rounds", "101");
    assertRejected("--rounds must be between 1 and 100: 0", "http", "--rounds", "0");
    assertRejected("--rounds must be between 1 and 100: 0", "rls", "--rounds", "0");
    assertRejected("--rounds must be between 1 and 100: 0", "web", "--rounds", "0");
    assertRejected("NAME=HOST:PORT[,PID...]: 8081", "rls", "--against", "8081");
    assertRejected("name in use: Tidegate", "rls", "--against", "Tidegate=127.0.0.1:8081");
    assertRejected("NAME=URL: 8081", "http", "--against", "8081");
    assertRejected("--against", "http", "--body", "throttle.json");
    assertRejected("--batch must be between 1 and 20: 21", "overload", "--batch", "21");
    assertRejected("between 1 and 20000: 0", "overload", "--connections", "0");
    assertRejected("a directory: no/such/folder", "overload", "--svg", "no/such/folder");
    assertRejected("--minutes must be between 1 and 10080: 0", "soak", "--minutes", "0");
    assertRejected("--rate must be between 1 and 1000000: -1", "soak", "--rate", "-1");
    assertRejected("--swift", "local", "--swift");
    assertRejected("remote", "remote");
    assertRejected("Missing required subcommand");
  }

  private void assertRejected(String message, String... arguments) {
    errors.getBuffer().setLength(0);
    assertThat(bench.execute(arguments)).isEqualTo(2);
    assertThat(errors.toString()).contains(message);
  }
}
