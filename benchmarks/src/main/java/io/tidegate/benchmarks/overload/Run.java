package io.tidegate.benchmarks.overload;

import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.OpenLoad;
import io.tidegate.benchmarks.load.OpenLoad.Interval;
import io.tidegate.benchmarks.load.PreparedRequest;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.TidegateProcess;
import io.tidegate.benchmarks.overload.Results.Step;
import io.tidegate.report.Format;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all measurements, with one server and one load. */
final class Run {

  /** Bound of the load for the compiler, which takes some seconds on an idle machine. */
  private static final int MAX_START_MILLIS = 60_000;

  private final Settings settings;
  private final Progress progress;
  private final List<Step> steps = new ArrayList<>();

  Run(Settings settings) {
    this.settings = settings;
    int total = 1 + settings.rounds() * (1 + settings.percents().size());
    this.progress = new Progress(System.err, total, System::nanoTime);
  }

  Results run() throws IOException {
    if (settings.pinned()) {
      Processors.bindLoad();
    }
    String[] prefix = settings.pinned() ? Processors.serverPrefix() : new String[0];
    try (TidegateProcess server =
        new TidegateProcess(prefix, "--event-loops=" + settings.eventLoops())) {
      HttpRequests requests = HttpRequests.limits(server.address(), settings.batch());
      progress.next("warm-up");
      closedLoop(requests, Order.atMost(settings.startRequests(), MAX_START_MILLIS));
      for (int round = 1; round <= settings.rounds(); round++) {
        progress.next("maximum");
        closedLoop(requests, Order.unthrottled(settings.warmupMillis()));
        double maximum =
            closedLoop(requests, Order.unthrottled(settings.loadMillis())).perSecond();
        for (int percent : settings.percents()) {
          measure(server, requests, percent, round, maximum);
        }
      }
      return new Results(settings, new Rounds<>(steps));
    } finally {
      progress.end();
    }
  }

  private static Outcome closedLoop(HttpRequests requests, Order order) throws IOException {
    return LoadGenerator.run(
        order, Settings.CLOSED_CONNECTIONS, requests.connector(Settings.KEYS, Refusals.FAIL));
  }

  private void measure(
      TidegateProcess server, HttpRequests requests, int percent, int round, double maximum)
      throws IOException {
    double perSecond = maximum * percent / 100;
    progress.next("%d %%, %s/s".formatted(percent, Format.MANY.of(perSecond)));
    PreparedRequest request = PreparedRequest.cycling(requests.text(), Settings.KEYS);
    OpenLoad.Order order =
        new OpenLoad.Order(requests.server(), request, settings.connections(), 0);
    try (OpenLoad load = new OpenLoad(order)) {
      load.run(settings.warmupMillis(), perSecond);
      double cpuSeconds = server.cpuSeconds();
      Interval interval = load.run(settings.loadMillis(), perSecond);
      cpuSeconds = server.cpuSeconds() - cpuSeconds;
      if (interval.failed() > 0) {
        throw new IllegalStateException("the server answered " + load.firstFailure());
      }
      steps.add(new Step(percent, round, maximum, interval, cpuSeconds, server.residentBytes()));
    }
  }
}
