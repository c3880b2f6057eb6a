package io.tidegate.demo;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of {@code ./tidegate demo}. */
@Command(
    name = "tidegate demo",
    description = {
      "Run three regions on this machine, break them, and watch limits hold.",
      "",
      "Starts MariaDB, three Redis servers and six nodes from jars, sends traffic, and opens a page that"
          + " compares what was admitted with the limit and with the reference design. On the page you can"
          + " stop a Redis, cut a region off from the database, kill a node, and send more traffic.",
      "",
      "Everything listens on 127.0.0.1 only, and ends with Ctrl-C. Takes about 1.5 GB of memory.",
      ""
    })
public final class Main implements Callable<Integer> {

  private static final int MAX_MINUTES = 24 * 60;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "End after this many minutes, 1 to " + MAX_MINUTES + "; by default with Ctrl-C.")
  private @Nullable Integer minutes;

  @Option(
      names = "--port",
      paramLabel = "N",
      description =
          "Port of the page; by default " + Page.DEFAULT_PORT + ", or a free one if that is taken.")
  private @Nullable Integer port;

  @Option(
      names = "--no-browser",
      description = "Print the address of the page, but do not open it.")
  private boolean noBrowser;

  @SuppressWarnings("UnusedVariable") // read by picocli
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler(Main::reject)
        .setExecutionExceptionHandler(Main::fail);
  }

  /** Prints the error only: the whole usage would hide it. */
  private static int reject(ParameterException invalid, String[] arguments) {
    PrintWriter err = invalid.getCommandLine().getErr();
    err.println("tidegate: " + invalid.getMessage());
    err.println("Try 'tidegate demo --help' for more information.");
    return ExitCode.USAGE;
  }

  private static int fail(Exception failure, CommandLine line, CommandLine.ParseResult arguments) {
    line.getErr().println("tidegate: the demo does not start: " + failure.getMessage());
    return ExitCode.SOFTWARE;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (minutes != null && (minutes < 1 || minutes > MAX_MINUTES)) {
      throw invalid("--minutes must be between 1 and " + MAX_MINUTES + ": " + minutes);
    }
    if (port != null && (port < 0 || port > 65_535)) {
      throw invalid("--port must be between 0 and 65535: " + port);
    }
    run(command.commandLine().getOut());
    return ExitCode.OK;
  }

  private ParameterException invalid(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Runs until the time is up, or until the shutdown hook ends the demo. */
  private void run(PrintWriter out) throws InterruptedException {
    Demo demo = new Demo(line -> {
      out.println(line);
      out.flush();
    });
    AtomicBoolean started = new AtomicBoolean();
    Runnable end = once(() -> {
      demo.close();
      if (started.get()) {
        print(out, demo.summary());
      }
    });
    Runtime.getRuntime().addShutdownHook(new Thread(end, "demo-end"));
    try {
      URI uri = demo.start(port);
      started.set(true);
      out.println();
      out.println("  " + uri + (minutes == null ? "    Ctrl-C ends the demo." : ""));
      out.println();
      out.flush();
      if (!noBrowser) {
        browse(uri);
      }
      if (minutes == null) {
        new CountDownLatch(1).await();
      } else {
        TimeUnit.NANOSECONDS.sleep(Duration.ofMinutes(minutes).toNanos());
      }
    } finally {
      end.run();
    }
  }

  /** The task for several callers, of which the first runs it and the others wait for its end. */
  private static Runnable once(Runnable task) {
    AtomicBoolean done = new AtomicBoolean();
    return () -> {
      synchronized (done) {
        if (!done.getAndSet(true)) {
          task.run();
        }
      }
    };
  }

  private static void print(PrintWriter out, Demo.Summary summary) {
    Traffic.Totals totals = summary.totals();
    out.println();
    out.printf(
        Locale.ROOT,
        "%,d requests: %,d admitted, %,d denied, %,d degraded, %,d failed; faults injected: %d%n",
        totals.requests(),
        totals.admitted(),
        totals.denied(),
        totals.degraded(),
        totals.failed(),
        summary.faults());
    out.printf(
        Locale.ROOT,
        "user roaming, at twice its limit in three regions: at most %.2f times the limit;"
            + " the reference design, without faults: %.2f%n",
        summary.mostAdmitted(),
        summary.mostOfReference());
    if (summary.lastFailure() != null) {
      out.println("the last failed request: " + summary.lastFailure());
    }
    out.flush();
  }

  /**
   * Opens a browser if there is a display. A missing browser is no error: the address is printed.
   */
  private static void browse(URI uri) {
    boolean mac = System.getProperty("os.name").startsWith("Mac");
    boolean display = System.getenv("DISPLAY") != null || System.getenv("WAYLAND_DISPLAY") != null;
    if (!mac && !display) {
      return;
    }
    try {
      new ProcessBuilder(mac ? "open" : "xdg-open", uri.toString())
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      System.err.println("tidegate: cannot open a browser: " + e.getMessage());
    }
  }
}
