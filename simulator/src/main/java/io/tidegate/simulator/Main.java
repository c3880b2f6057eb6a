package io.tidegate.simulator;

import io.tidegate.simulator.chaos.ChaosCommand;
import io.tidegate.simulator.fleet.FleetCommand;
import io.tidegate.simulator.overshoot.OvershootCommand;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/** Entry point of {@code ./tidegate simulate}. */
@Command(
    name = "tidegate simulate",
    description = "Run regions of nodes in virtual time: the shipped core in a simulated world.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {OvershootCommand.class, ChaosCommand.class, FleetCommand.class})
public final class Main {

  /** A strong reference: loggers are held weakly, and would lose their level. */
  private static final Logger LIMITER = Logger.getLogger("io.tidegate");

  @SuppressWarnings("UnusedVariable") // read by picocli
  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  public static void main(String[] arguments) {
    LIMITER.setLevel(Level.OFF); // the limiter logs every injected fault
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setParameterExceptionHandler(Main::reject);
  }

  /** Prints the error only: the whole usage would hide it. */
  private static int reject(ParameterException invalid, String[] arguments) {
    CommandLine command = invalid.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(invalid.getMessage());
    command.getErr().println("Try '" + name + " --help' for more information.");
    return ExitCode.USAGE;
  }
}
