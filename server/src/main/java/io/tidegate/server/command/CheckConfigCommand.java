package io.tidegate.server.command;

import io.tidegate.rules.RuleException;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.rules.RuleFiles;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks the settings of a server without starting it. */
@Command(
    name = "check-config",
    description = {
      "Check the settings of a server without starting it.",
      "",
      "Prints ok, or every invalid setting, or every error of the rule files. Opens no connections."
    })
final class CheckConfigCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  CheckConfigCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() throws RuleException {
    ServerConfig config = ServerConfig.read(command.commandLine().getParseResult(), environment);
    PrintWriter err = command.commandLine().getErr();
    config.warnings().forEach(warning -> err.println("tidegate: warning: " + warning));
    if (!config.ignored().isEmpty()) {
      err.println("tidegate: ignoring variables that Kubernetes sets for a service: "
          + String.join(", ", config.ignored()));
    }
    if (config.rules() != null) {
      RuleFiles.read(config.rules()).load();
    }
    command.commandLine().getOut().println("ok");
    return ExitCode.OK;
  }
}
