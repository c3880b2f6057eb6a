package io.tidegate.benchmarks;

import io.tidegate.report.Machine;
import io.tidegate.report.Report;
import io.tidegate.report.ReportOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Options of all benchmarks. */
public class RunOptions extends ReportOptions {

  private static final int MAX_ROUNDS = 100;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Repetitions of every measurement, 1 to " + MAX_ROUNDS
          + "; by default 3, or 2 with --quick.")
  private @Nullable Integer rounds;

  public RunOptions() {}

  @Override
  public void check() {
    super.check();
    if (rounds() < 1 || rounds() > MAX_ROUNDS) {
      throw invalid("--rounds must be between 1 and " + MAX_ROUNDS + ": " + rounds());
    }
  }

  /** Measures, and reports on the machine and the figures. */
  public interface Benchmark {
    Report run(Machine machine) throws IOException;
  }

  /** Checks the options, runs a benchmark on this machine and writes its report. */
  public int run(Benchmark benchmark) throws IOException {
    check();
    write(benchmark.run(Machine.current()));
    return ExitCode.OK;
  }

  public int rounds() {
    if (rounds != null) {
      return rounds;
    }
    return quick() ? 2 : 3;
  }
}
