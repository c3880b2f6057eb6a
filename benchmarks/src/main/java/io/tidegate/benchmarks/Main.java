package io.tidegate.benchmarks;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The benchmarks, from the command line. */
@Command(
    name = "tidegate bench",
    description = "Measures Tidegate next to the alternatives, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {LocalCommand.class, RegionalCommand.class, GlobalCommand.class, HttpCommand.class
    })
public final class Main implements Runnable {

  @Spec
  private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setParameterExceptionHandler(Main::refuse);
  }

  /** The whole usage would push the one line that matters out of sight. */
  private static int refuse(ParameterException refused, String[] arguments) {
    CommandLine command = refused.getCommandLine();
    PrintWriter errors = command.getErr();
    errors.println(refused.getMessage());
    errors.println(
        "Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
    return ExitCode.USAGE;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "Missing command, which says what to measure: local, regional, global or http");
  }
}
