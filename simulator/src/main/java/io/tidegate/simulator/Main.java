package io.tidegate.simulator;

import io.tidegate.simulator.chaos.ChaosCommand;
import io.tidegate.simulator.fleet.FleetCommand;
import io.tidegate.simulator.overshoot.OvershootCommand;
import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The simulator, from the command line. */
@Command(
    name = "tidegate simulate",
    description =
        "Runs regions of nodes under virtual time: the shipped code, and everything around it simulated.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {OvershootCommand.class, ChaosCommand.class, FleetCommand.class})
public final class Main implements Runnable {

  /** What the limiter logs of faults that are meant to be would bury the figures. Held, or lost. */
  private static final Logger LIMITER = Logger.getLogger("io.tidegate");

  @Spec
  private CommandSpec command;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  public static void main(String[] arguments) {
    LIMITER.setLevel(Level.OFF);
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
        "Missing command, which says what to simulate: spread, chaos or fleet");
  }
}
