package io.tidegate.benchmarks;

import io.tidegate.benchmarks.global.GlobalCommand;
import io.tidegate.benchmarks.http.HttpCommand;
import io.tidegate.benchmarks.local.LocalCommand;
import io.tidegate.benchmarks.overload.OverloadCommand;
import io.tidegate.benchmarks.regional.RegionalCommand;
import io.tidegate.benchmarks.rls.RlsCommand;
import io.tidegate.benchmarks.soak.SoakCommand;
import io.tidegate.benchmarks.web.WebCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Entry point of the benchmarks. */
@Command(
    name = "tidegate bench",
    description = "Measure Tidegate next to its alternatives, on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      LocalCommand.class,
      RegionalCommand.class,
      GlobalCommand.class,
      HttpCommand.class,
      OverloadCommand.class,
      SoakCommand.class,
      RlsCommand.class,
      WebCommand.class
    })
public final class Main {

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main()).setParameterExceptionHandler(Main::reject);
  }

  /** Prints the error alone; the full usage would push it out of sight. */
  private static int reject(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter errors = command.getErr();
    errors.println(error.getMessage());
    errors.println(
        "Try '" + command.getCommandSpec().qualifiedName() + " --help' for more information.");
    return ExitCode.USAGE;
  }
}
