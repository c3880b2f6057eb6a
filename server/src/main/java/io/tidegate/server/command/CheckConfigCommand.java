package io.tidegate.server.command;

import io.tidegate.server.config.ServerConfig;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at the settings of a server without starting it. */
@Command(
    name = "check-config",
    description = {
      "Says whether a server could start with these settings: prints ok, or all that is wrong with them.",
      "",
      "The same as serve --check. Nothing is connected to."
    })
final class CheckConfigCommand implements Callable<Integer> {

  private final Map<String, String> environment;

  @Spec
  private CommandSpec command;

  CheckConfigCommand(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public Integer call() {
    return check(command.commandLine(), environment);
  }

  static int check(CommandLine command, Map<String, String> environment) {
    ServerConfig config = ServerConfig.read(command.getParseResult(), environment);
    config.warnings().forEach(warning -> command.getErr().println("tidegate: warning: " + warning));
    if (!config.ignored().isEmpty()) {
      command
          .getErr()
          .println("tidegate: ignoring what Kubernetes has set for a service: "
              + String.join(", ", config.ignored()));
    }
    command.getOut().println("ok");
    return ExitCode.OK;
  }
}
