package io.tidegate.server.command;

import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.Logging;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the server. */
@Command(
    name = "serve",
    description = {
      "Answers over HTTP until it is stopped.",
      "",
      "Without any settings it needs nothing beside it. A setting is a flag, an environment variable or a line of a file, in this order."
    })
final class ServeCommand implements Callable<Integer> {

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;
  private final Service service;

  @Spec
  private CommandSpec command;

  @Option(names = "--check", description = "Only say whether the settings can be used, and exit.")
  private boolean check;

  ServeCommand(Map<String, String> environment, PrintStream out, PrintStream err, Service service) {
    this.environment = environment;
    this.out = out;
    this.err = err;
    this.service = service;
  }

  @Override
  public Integer call() {
    if (check) {
      return CheckConfigCommand.check(command.commandLine(), environment);
    }
    ServerConfig config = ServerConfig.read(command.commandLine().getParseResult(), environment);
    Logging.configure(config.logFormat(), config.logLevel(), err);
    config.warnings().forEach(warning -> Log.warn(warning));
    if (!config.ignored().isEmpty()) {
      Log.debug("ignoring what Kubernetes has set for a service", "variables", config.ignored());
    }
    return service.run(config, out);
  }
}
