package io.tidegate.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.server.command.Commands;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Result of a command of {@code ./tidegate}, run in this JVM. */
record Cli(int code, String out, String err) {

  /** Runs a command with an environment. */
  static Cli run(Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Commands.commandLine(
            environment,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (config, stream) -> 0)
        .execute(arguments);
    return new Cli(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Asserts that the server accepts settings without a warning. */
  static void assertAccepted(Map<String, String> environment, String... flags) {
    String[] arguments = new String[flags.length + 1];
    arguments[0] = "check-config";
    System.arraycopy(flags, 0, arguments, 1, flags.length);
    assertThat(run(environment, arguments)).isEqualTo(new Cli(0, "ok%n".formatted(), ""));
  }
}
