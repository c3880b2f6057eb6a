package io.tidegate.benchmarks.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each measurement in a new JVM with the flags of this one. */
final class Forks {

  static final class BenchmarkFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    BenchmarkFailedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

  /** Silences a warning of newer JVMs about JMH 1.37, which each fork would print. */
  private static final String UNSAFE_ACCESS = "--sun-misc-unsafe-memory-access=allow";

  private final Settings settings;

  Forks(Settings settings) {
    this.settings = settings;
  }

  /** Runs a benchmark class, which has one method, with these parameters. */
  Results.Cost measure(Class<?> benchmark, int threads, Map<String, ?> parameters)
      throws BenchmarkFailedException {
    TimeValue iteration = TimeValue.milliseconds(settings.iterationMillis());
    ChainedOptionsBuilder options = new OptionsBuilder()
        .include("^" + benchmark.getName() + "\\.")
        .forks(1)
        .threads(threads)
        .warmupIterations(settings.warmups())
        .warmupTime(iteration)
        .measurementIterations(settings.iterations())
        .measurementTime(iteration)
        .addProfiler(GCProfiler.class)
        .jvmArgs(inheritedFlags().toArray(String[]::new))
        .verbosity(VerboseMode.SILENT)
        .shouldFailOnError(true);
    parameters.forEach((name, value) -> options.param(name, value.toString()));
    try {
      RunResult result = new Runner(options.build()).runSingle();
      return new Results.Cost(
          result.getPrimaryResult().getStatistics().getPercentile(50),
          Objects.requireNonNull(result.getSecondaryResults().get(BYTES_PER_OPERATION))
              .getScore());
    } catch (RunnerException e) {
      throw new BenchmarkFailedException(
          "%s with %s and %d threads failed: %s"
              .formatted(benchmark.getSimpleName(), parameters, threads, allMessages(e)),
          e);
    }
  }

  /** Runs {@link MemoryProbe}. */
  double bytesPerIdentifier(Competitor competitor) throws BenchmarkFailedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(inheritedFlags());
    command.removeIf(flag -> flag.matches("-XX:[+-]Use\\w+GC"));
    // Leaves only live objects after a collection, and little unused space in allocation buffers.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TLABSize=64k", "-XX:-ResizeTLAB"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(MemoryProbe.class.getName(), competitor.name()));
    try {
      return Double.parseDouble(outputOf(command));
    } catch (IOException | NumberFormatException e) {
      throw new BenchmarkFailedException(
          "measuring the memory of %s failed: %s".formatted(competitor.label(), e.getMessage()), e);
    }
  }

  private List<String> inheritedFlags() {
    List<String> flags = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    if (flags.stream().noneMatch(flag -> flag.startsWith("-Xmx"))) {
      flags.add("-Xms" + settings.heap());
      flags.add("-Xmx" + settings.heap());
      flags.add("-XX:+AlwaysPreTouch"); // so that no measurement waits for pages of the system
    }
    if (Runtime.version().feature() >= 23 && flags.stream().noneMatch(UNSAFE_ACCESS::equals)) {
      flags.add(UNSAFE_ACCESS);
    }
    return flags;
  }

  private static String outputOf(List<String> command) throws IOException {
    Path errors = Files.createTempFile("tidegate-memory", ".log");
    try {
      Process process = new ProcessBuilder(command)
          .redirectError(Redirect.to(errors.toFile()))
          .start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException(output + Files.readString(errors));
      }
      return output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      Files.delete(errors);
    }
  }

  /** Joins the messages of causes and suppressed exceptions, where JMH puts failures of a fork. */
  private static String allMessages(Throwable failure) {
    StringBuilder messages = new StringBuilder(String.valueOf(failure.getMessage()));
    for (Throwable suppressed : failure.getSuppressed()) {
      messages.append("; ").append(allMessages(suppressed));
    }
    if (failure.getCause() != null) {
      messages.append("; ").append(allMessages(failure.getCause()));
    }
    return messages.toString();
  }
}
