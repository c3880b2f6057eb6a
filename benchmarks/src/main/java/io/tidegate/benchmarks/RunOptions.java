package io.tidegate.benchmarks;

import io.tidegate.report.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all benchmarks. */
public final class RunOptions extends ReportOptions {

  private static final int FULL_ROUNDS = 3;
  private static final int QUICK_ROUNDS = 2;
  private static final int MAX_ROUNDS = 100;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Repetitions of every measurement, 1 to " + MAX_ROUNDS + "; by default "
          + FULL_ROUNDS + ", or " + QUICK_ROUNDS + " with --quick.")
  private @Nullable Integer rounds;

  @Override
  public void check() {
    super.check();
    if (rounds() < 1 || rounds() > MAX_ROUNDS) {
      throw invalid("--rounds must be between 1 and " + MAX_ROUNDS + ": " + rounds());
    }
  }

  public int rounds() {
    if (rounds != null) {
      return rounds;
    }
    return quick() ? QUICK_ROUNDS : FULL_ROUNDS;
  }
}
