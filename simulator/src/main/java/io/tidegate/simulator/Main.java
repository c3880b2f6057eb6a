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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of {@code ./tidegate simulate}. */
@Command(
    name = "tidegate simulate",
    description = "Run regions of nodes in virtual time: the shipped core in a simulated world.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {OvershootCommand.class, ChaosCommand.class, FleetCommand.class})
public final class Main implements Runnable {

  /** A strong reference: loggers are held weakly, and would lose their level. */
  private static final Logger LIMITER = Logger.getLogger("io.tidegate");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

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
    PrintWriter errors = command.getErr();
    errors.println(invalid.getMessage());
    errors.println(
        "Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
    return ExitCode.USAGE;
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "Missing command: overshoot, chaos or fleet");
  }
}
