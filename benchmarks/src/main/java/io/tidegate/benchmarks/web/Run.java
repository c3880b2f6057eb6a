package io.tidegate.benchmarks.web;

import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.Processors;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.web.Results.Load;
import io.tidegate.report.Progress;
import io.tidegate.report.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Runs all measurements, with one process of each application and one load. */
final class Run {

  private final Settings settings;
  private final Progress progress;
  private final List<ApplicationProcess> processes = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();

  Run(Settings settings) {
    this.settings = settings;
    long measurements = 0;
    for (Application application : Application.values()) {
      measurements +=
          settings.scenarios().stream().filter(application::supports).count();
    }
    int total = (int) (Application.values().length + settings.rounds() * measurements);
    this.progress = new Progress(System.err, total, System::nanoTime);
  }

  Results run() throws IOException {
    if (settings.pinned()) {
      Processors.bindLoad();
    }
    try {
      for (Application application : Application.values()) {
        start(application);
      }
      for (int round = 1; round <= settings.rounds(); round++) {
        for (Scenario scenario : settings.scenarios()) {
          measure(scenario, round);
        }
      }
      return new Results(settings, new Rounds<>(loads));
    } finally {
      progress.end();
      for (ApplicationProcess process : processes) {
        process.close();
      }
    }
  }

  private void start(Application application) throws IOException {
    progress.next("warm-up, " + application.label);
    String[] prefix = settings.pinned() ? Processors.serverPrefix() : new String[0];
    ApplicationProcess process = new ApplicationProcess(application, Settings.LIMIT, prefix);
    processes.add(process);
    for (int keys : Settings.KEYS) {
      Scenario scenario = Scenario.closed(settings.mostConnections(), keys);
      process.send(scenario, settings.startMillis() / Settings.KEYS.size());
    }
  }

  private void measure(Scenario scenario, int round) throws IOException {
    for (ApplicationProcess process : Rounds.inTurn(processes, round)) {
      if (process.application.supports(scenario)) {
        progress.next(scenario.label() + ", " + process.application.label);
        process.send(scenario, settings.warmupMillis());
        double before = process.cpuSeconds();
        Outcome outcome = process.send(scenario, settings.loadMillis());
        double seconds = process.cpuSeconds() - before;
        loads.add(new Load(process.application, scenario, round, outcome, seconds));
      }
    }
  }
}
