package io.tidegate.server.command;

import io.tidegate.rules.RuleException;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.Logging;
import io.tidegate.server.rules.RuleFiles;
import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs the server. */
@Command(
    name = "serve",
    description = {
      "Run the server until it is stopped.",
      "",
      "Needs no settings and no other services to start. Precedence of settings: flag, environment variable, file."
    })
final class ServeCommand implements Callable<Integer> {

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;
  private final Service service;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  ServeCommand(Map<String, String> environment, PrintStream out, PrintStream err, Service service) {
    this.environment = environment;
    this.out = out;
    this.err = err;
    this.service = service;
  }

  @Override
  public Integer call() throws RuleException {
    ServerConfig config = ServerConfig.read(command.commandLine().getParseResult(), environment);
    Logging.configure(config.log().format(), config.log().level(), err);
    config.warnings().forEach(warning -> Log.warn(warning));
    if (!config.ignored().isEmpty()) {
      Log.debug(
          "ignoring variables that Kubernetes sets for a service", "variables", config.ignored());
    }
    if (config.rules() != null) {
      RuleFiles.read(config.rules()).load(); // reports all errors, each on its line
    }
    return service.run(config, out);
  }
}
