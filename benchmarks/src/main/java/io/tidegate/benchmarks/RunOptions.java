package io.tidegate.benchmarks;

import io.tidegate.report.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that all benchmarks have. */
final class RunOptions {

  private static final int FULL_ROUNDS = 3;
  private static final int QUICK_ROUNDS = 2;
  private static final int MAX_ROUNDS = 100;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--quick",
      description = "Fewer keys, scenarios and rounds, and less time for each: under two minutes,"
          + " good for a first look only.")
  private boolean quick;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "How often to measure everything, 1 to " + MAX_ROUNDS + "; by default "
          + FULL_ROUNDS + ", or " + QUICK_ROUNDS + " with --quick.")
  private Integer rounds;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write all raw figures to this file, as JSON.")
  private Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  /**
   * Refuses what cannot be done. Before the run: to find after twenty minutes that the figures
   * cannot be written would be a pity.
   */
  void check() {
    if (rounds != null && (rounds < 1 || rounds > MAX_ROUNDS)) {
      throw new ParameterException(
          command.commandLine(), "--rounds must be between 1 and " + MAX_ROUNDS + ": " + rounds);
    }
    if (json != null && !Json.isWritable(json)) {
      throw new ParameterException(
          command.commandLine(), "--json must be a file that can be written: " + json);
    }
  }

  boolean quick() {
    return quick;
  }

  int rounds() {
    if (rounds != null) {
      return rounds;
    }
    return quick ? QUICK_ROUNDS : FULL_ROUNDS;
  }

  /** Writes the raw figures if that was asked for. */
  void export(Map<String, Object> content) throws IOException {
    if (json != null) {
      Files.writeString(json, Json.of(content));
    }
  }
}
