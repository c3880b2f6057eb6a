package io.tidegate.server.command;

import io.tidegate.server.config.ServerConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs commands with an environment and captures their output. */
final class Terminal {

  record Result(int exitCode, String out, String err) {}

  private final Map<String, String> environment = new HashMap<>();
  private final List<ServerConfig> served = new ArrayList<>();

  Terminal set(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = Commands.commandLine(
            environment,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            (config, stream) -> {
              served.add(config);
              stream.println("served");
              return 7;
            })
        .execute(arguments);
    return new Result(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The settings of the servers that were started. */
  List<ServerConfig> served() {
    return served;
  }
}
