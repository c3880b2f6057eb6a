package io.tidegate.server.command;

import io.tidegate.server.config.CatalogConfig;
import io.tidegate.server.config.ConfigException;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.Similar;
import io.tidegate.server.config.Version;
import io.tidegate.server.log.Escaped;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands of the program. */
@Command(
    name = "tidegate",
    description = "A rate limiter of many nodes in many regions, behind an HTTP API.",
    synopsisSubcommandLabel = "COMMAND")
public final class Commands implements Runnable {

  private static final int WIDTH = 100;

  @Spec
  private CommandSpec command;

  private Commands() {}

  /**
   * @param environment variables of the process
   * @param out for what was asked for
   * @param err for what went wrong, and the log
   * @param service what {@code serve} starts
   */
  public static CommandLine commandLine(
      Map<String, String> environment, PrintStream out, PrintStream err, Service service) {
    CatalogSession catalog = new CatalogSession(environment);
    CommandLine root = new CommandLine(new Commands())
        .addSubcommand(new ServeCommand(environment, out, err, service))
        .addSubcommand(new CheckConfigCommand(environment))
        .addSubcommand(new KeysCommand(catalog))
        .addSubcommand(new WorkspacesCommand(catalog))
        .addSubcommand(new NamespacesCommand(catalog))
        .addSubcommand(new LimitCommand(environment))
        .addSubcommand(new CleanupCommand(environment));
    root.getCommandSpec()
        .version("tidegate " + Version.TEXT)
        .addOption(OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Show the version and exit.")
            .build());
    CatalogConfig.declare(root.getSubcommands().get("cleanup").getCommandSpec());
    for (String name : List.of("serve", "check-config")) {
      ServerConfig.declare(root.getSubcommands().get(name).getCommandSpec());
    }
    for (String name : List.of("keys", "workspaces", "namespaces")) {
      CommandLine group = root.getSubcommands().get(name);
      group.getSubcommands().values().forEach(edit -> CatalogConfig.declare(edit.getCommandSpec()));
    }
    addHelp(root);
    return root.setUsageHelpWidth(WIDTH)
        .setExpandAtFiles(false) // an identifier may begin with @
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(Commands::refuse)
        .setExecutionExceptionHandler(Commands::explain);
  }

  private static void addHelp(CommandLine command) {
    command
        .getCommandSpec()
        .addOption(OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help and exit.")
            .build());
    command.getSubcommands().values().forEach(Commands::addHelp);
  }

  /** The whole usage would push the one line that matters out of sight. */
  private static int refuse(ParameterException refused, String[] arguments) {
    CommandLine command = refused.getCommandLine();
    PrintWriter errors = command.getErr();
    errors.println("tidegate: "
        + (refused instanceof UnmatchedArgumentException unmatched
            ? unknown(unmatched, command)
            : Escaped.of(refused.getMessage())));
    errors.println(
        "Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
    return ExitCode.USAGE;
  }

  /** Its value, which may be a password under a misspelled name, is not shown. */
  private static String unknown(UnmatchedArgumentException unmatched, CommandLine command) {
    String argument = unmatched.getUnmatched().get(0).replaceFirst("(?s)=.*", "");
    List<String> names = Stream.concat(
            command.getCommandSpec().optionsMap().keySet().stream(),
            command.getSubcommands().keySet().stream())
        .toList();
    String kind = argument.startsWith("-")
        ? "option"
        : command.getSubcommands().isEmpty() ? "argument" : "command";
    return "unknown " + kind + ": " + Escaped.of(argument) + Similar.suggest(argument, names);
  }

  private static int explain(Exception failure, CommandLine command, ParseResult arguments)
      throws Exception {
    PrintWriter errors = command.getErr();
    if (failure instanceof ConfigException config) {
      config.problems().forEach(problem -> errors.println("tidegate: " + problem));
      return ExitCode.USAGE;
    }
    if (failure instanceof Failure) {
      errors.println("tidegate: " + Escaped.of(failure.getMessage()));
      return ExitCode.SOFTWARE;
    }
    if (failure instanceof SQLException) {
      errors.println("tidegate: the catalog cannot be used: " + Escaped.of(reason(failure)));
      return ExitCode.SOFTWARE;
    }
    throw failure; // a bug, of which the stack tells most
  }

  /** Of a failure to connect, the pool itself says only that it waited. */
  static String reason(Exception failure) {
    return String.valueOf(
        failure.getCause() == null ? failure.getMessage() : failure.getCause().getMessage());
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "a command is missing: " + String.join(", ", command.subcommands().keySet()));
  }
}
