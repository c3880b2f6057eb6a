package io.tidegate.server.command;

import io.tidegate.rules.RuleException;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
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

/** The command line of the program: all commands, and how their failures are printed. */
@Command(
    name = "tidegate",
    description = "Multi-region rate limiter with an HTTP API.",
    synopsisSubcommandLabel = "COMMAND")
public final class Commands implements Runnable {

  private static final int WIDTH = 100;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  private Commands() {}

  /**
   * Creates the command line.
   *
   * @param environment environment variables of the process
   * @param out standard output, for results
   * @param err standard error, for failures and the log
   * @param service the server that {@code serve} starts
   */
  public static CommandLine commandLine(
      Map<String, String> environment, PrintStream out, PrintStream err, Service service) {
    CommandLine root = new CommandLine(new Commands());
    root.getCommandSpec()
        .version("tidegate " + Version.TEXT + " (commit " + Version.COMMIT + ")")
        .addOption(OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Show the version and exit.")
            .build());
    for (Object server : List.of(
        new ServeCommand(environment, out, err, service), new CheckConfigCommand(environment))) {
      ServerConfig.declare(add(root, server).getCommandSpec());
    }
    add(root, new SettingsCommand());
    add(root, new HealthCommand(environment));
    CatalogSession catalog = new CatalogSession(environment);
    for (Object group : List.of(
        new KeysCommand(catalog),
        new WorkspacesCommand(catalog),
        new NamespacesCommand(catalog),
        new OverridesCommand(catalog))) {
      for (CommandLine edit : add(root, group).getSubcommands().values()) {
        CatalogConfig.declare(edit.getCommandSpec());
      }
    }
    CatalogConfig.declare(add(root, new AuditCommand(catalog)).getCommandSpec());
    add(root, new RulesCommand());
    add(root, new LimitCommand(environment));
    add(root, new InspectCommand(environment));
    add(root, new TopCommand(environment));
    CatalogConfig.declare(add(root, new CleanupCommand(environment)).getCommandSpec());
    addHelp(root);
    return root.setUsageHelpWidth(WIDTH)
        .setExpandAtFiles(false) // an identifier may begin with @
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(Commands::printUsageError)
        .setExecutionExceptionHandler(Commands::printFailure);
  }

  private static CommandLine add(CommandLine root, Object command) {
    CommandLine added = new CommandLine(command);
    root.addSubcommand(added);
    return added;
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

  /** Prints one line instead of the whole usage, which would hide it. */
  private static int printUsageError(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("tidegate: "
        + (error instanceof UnmatchedArgumentException unmatched
            ? unknown(unmatched, command)
            : Escaped.of(message(error))));
    err.println(
        "Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
    return ExitCode.USAGE;
  }

  /** Omits the value, which may be a password after a misspelled name. */
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

  private static int printFailure(Exception failure, CommandLine command, ParseResult arguments)
      throws Exception {
    PrintWriter err = command.getErr();
    if (failure instanceof ConfigException config) {
      config.problems().forEach(problem -> err.println("tidegate: " + problem));
      return ExitCode.USAGE;
    }
    if (failure instanceof RuleException rules) {
      rules.errors().forEach(error -> err.println("tidegate: " + Escaped.of(error.toString())));
      return ExitCode.SOFTWARE;
    }
    if (failure instanceof Failure) {
      err.println("tidegate: " + Escaped.of(message(failure)));
      return ExitCode.SOFTWARE;
    }
    if (failure instanceof SQLException) {
      err.println("tidegate: catalog unavailable: " + Escaped.of(reason(failure)));
      return ExitCode.SOFTWARE;
    }
    throw failure; // a bug: the stack trace helps
  }

  /** The message of the cause, if any: a pool that cannot connect reports only its timeout. */
  static String reason(Exception failure) {
    return message(failure.getCause() == null ? failure : failure.getCause());
  }

  private static String message(Throwable failure) {
    return Objects.requireNonNullElse(failure.getMessage(), failure.toString());
  }

  @Override
  public void run() {
    throw missingCommand(command, command.subcommands().keySet());
  }

  /** The error of a group of commands that was called without one of them. */
  static ParameterException missingCommand(CommandSpec group) {
    return missingCommand(group, new TreeSet<>(group.subcommands().keySet()));
  }

  private static ParameterException missingCommand(CommandSpec group, Collection<String> names) {
    return new ParameterException(
        group.commandLine(), "a command is missing: " + String.join(", ", names));
  }
}
