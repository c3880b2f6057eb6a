package io.tidegate.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of every command that ends with a report, as a picocli mixin to use or to extend. */
public class ReportOptions {

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = "--quick",
      description = "Measure less and for a shorter time, for a first impression only.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the figures of every round to this file, as JSON.")
  private @Nullable Path json;

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  public ReportOptions() {}

  /** Rejects a JSON file that cannot be written. Call it before the run, which may take long. */
  public void check() {
    boolean valid = json == null || Json.isWritable(json);
    require(valid, "--json must be a file that can be written: " + json);
  }

  public boolean quick() {
    return quick;
  }

  /** An error in the arguments, to be thrown. */
  public ParameterException invalid(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  public void require(boolean valid, String message) {
    if (!valid) {
      throw invalid(message);
    }
  }

  /** Prints the Markdown on standard output, and writes the JSON file if one is given. */
  public void write(Report report) throws IOException {
    System.out.print(report.markdown());
    if (json != null) {
      Files.writeString(json, report.json());
    }
  }

  /** The exit code is 1 if a target is missed, unless the run is too short to meet it. */
  public int exitCode(List<Target> targets) {
    return quick || targets.stream().allMatch(Target::met) ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
