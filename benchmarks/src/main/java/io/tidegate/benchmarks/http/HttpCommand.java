package io.tidegate.benchmarks;

import io.tidegate.report.Machine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures decisions over HTTP, and prints what came out. */
@Command(
    name = "http",
    description = {
      "Measures what a decision costs over HTTP: the server next to one on the same framework that answers"
          + " a constant. Requests a second with few and many connections and keys, how long an answer takes"
          + " when requests are due at fixed rates, the server's CPU for a million requests, and its memory.",
      "",
      "Servers and load are JVMs of their own, on loopback. The result is Markdown, after some five minutes."
          + " A missed target is told, and is no error.",
      ""
    },
    optionListHeading = "Options:%n",
    footer = {
      "",
      "Examples:",
      "  tidegate bench http --quick",
      "  tidegate bench http --pin --rounds 5 --json figures.json > http.md"
    },
    usageHelpAutoWidth = true)
final class HttpCommand implements Callable<Integer> {

  @Spec
  private CommandSpec command;

  @Mixin
  private RunOptions options;

  @Option(
      names = "--pin",
      description =
          "Give the server processor 0 and one event loop, and the load processor 1. Needs taskset"
              + " on the PATH. By default they share all processors.")
  private boolean pin;

  @Override
  public Integer call() throws IOException {
    options.check();
    if (pin) {
      checkPin();
    }
    HttpSettings settings = options.quick()
        ? HttpSettings.quick(options.rounds(), pin)
        : HttpSettings.full(options.rounds(), pin);
    Machine machine = Machine.current();
    HttpFigures figures = new HttpRun(settings, System.err).run();
    System.out.print(new HttpReport(machine, settings, figures).markdown());
    options.export(new HttpExport(machine, settings, figures).content());
    return ExitCode.OK;
  }

  private void checkPin() {
    int processors = Runtime.getRuntime().availableProcessors();
    if (processors < 2) {
      throw new ParameterException(
          command.commandLine(), "--pin needs two processors, and there is " + processors);
    }
    boolean found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "taskset")));
    if (!found) {
      throw new ParameterException(
          command.commandLine(), "--pin needs taskset, which is not on the PATH");
    }
  }
}
