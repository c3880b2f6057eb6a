package io.tidegate.benchmarks;

import io.tidegate.benchmarks.HttpFigures.Load;
import io.tidegate.benchmarks.HttpFigures.Memory;
import io.tidegate.benchmarks.HttpFigures.Scenario;
import io.tidegate.report.Machine;
import io.tidegate.report.Markdown;
import io.tidegate.report.Spread;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What a run has found, in Markdown. */
record HttpReport(Machine machine, HttpSettings settings, HttpFigures figures) {

  /** Who asks has no time left to ask more. */
  private static final int LOAD_IS_BUSY_PERCENT = 90;

  /** With this many connections, server and load leave hardly anything of their processors. */
  private static final int LEAST_USED_PERCENT = 70;

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    for (int keys : settings.keys()) {
      closedLoop(keys, markdown);
    }
    openLoop(markdown);
    memory(markdown);
    HttpTargets targets = new HttpTargets(settings, figures);
    markdown.targets(targets.verdicts());
    markdown.losses(targets.whereWeLose());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    markdown.machine(machine);
    markdown.line("%d rounds; in each %d ms measured after %d ms of warm-up. %s"
        .formatted(
            settings.rounds(),
            settings.loadMillis(),
            settings.warmupMillis(),
            settings.pinned()
                ? "The server has one processor and one event loop, the load has another processor."
                : "Server and load share all processors; the server has %d event loops."
                    .formatted(settings.eventLoops())));
    markdown.machineBusy(machine);
    if (settings.quick()) {
      markdown.paragraph(
          "**A quick run**, for a first look: little time for each figure, and to compile the servers.");
    }
    markdown.paragraph(
        "Figures are median [min..max] of the rounds. CPU is of the server's process, for a million requests;"
            + " the load's is of the one thread that asks.");
  }

  private void closedLoop(int keys, Markdown markdown) {
    markdown.heading(Scenario.keysLabel(keys) + ", as fast as answers come");
    markdown.header(List.of(
        "",
        "requests/s",
        "of the constant's",
        "p50, µs",
        "p99, µs",
        "p99.9, µs",
        "server CPU, s per million",
        "times the constant's",
        "server, % of a core",
        "load, % of a core"));
    boolean loadIsBusy = false;
    for (int connections : settings.connections()) {
      Scenario scenario = new Scenario(connections, keys, HttpFigures.NO_RATE);
      for (HttpContender contender : HttpContender.values()) {
        ToDoubleFunction<Load> busy = load -> load.outcome().busyPercent();
        loadIsBusy |= figures.of(contender, scenario, busy).median() > LOAD_IS_BUSY_PERCENT;
        List<String> cells = new ArrayList<>();
        cells.add(Words.many(figures.of(contender, scenario, Load::perSecond)));
        cells.add(timesConstant(contender, scenario, Load::perSecond));
        cells.addAll(latencies(contender, scenario));
        cells.add(Words.figure(figures.of(contender, scenario, Load::serverSecondsPerMillion)));
        cells.add(timesConstant(contender, scenario, Load::serverSecondsPerMillion));
        cells.add(Words.figure(figures.of(contender, scenario, Load::serverPercent)));
        cells.add(Words.figure(figures.of(contender, scenario, busy)));
        markdown.row("%s, %s".formatted(scenario.connectionsLabel(), contender.label()), cells);
      }
    }
    if (loadIsBusy) {
      markdown.paragraph("**The load was busy** for more than %d %% of the time where it says so:"
              .formatted(LOAD_IS_BUSY_PERCENT)
          + " there the servers could have answered more.");
    } else if (usedPercent(keys) < LEAST_USED_PERCENT) {
      markdown.paragraph(
          "**Others had the processors**: with most connections, %s %% of them were used. Requests a second say"
                  .formatted(Words.figure(usedPercent(keys)))
              + " little then; CPU per request says more.");
    }
  }

  /** How much of the processors that there are for them server and load had, at worst. */
  private double usedPercent(int keys) {
    Scenario scenario = new Scenario(settings.mostConnections(), keys, HttpFigures.NO_RATE);
    int processors = Math.min(machine.processors(), settings.eventLoops() + 1);
    return Arrays.stream(HttpContender.values())
        .map(contender -> figures.of(
            contender,
            scenario,
            load -> (load.serverPercent() + load.outcome().busyPercent()) / processors))
        .mapToDouble(Spread::median)
        .min()
        .orElseThrow();
  }

  private String timesConstant(
      HttpContender contender, Scenario scenario, ToDoubleFunction<Load> figure) {
    return contender == HttpContender.CONSTANT
        ? "1"
        : Words.ratio(figures.timesConstant(scenario, figure));
  }

  private List<String> latencies(HttpContender contender, Scenario scenario) {
    return List.of(
        Words.figure(
            figures.of(contender, scenario, load -> load.outcome().micros().p50())),
        Words.figure(
            figures.of(contender, scenario, load -> load.outcome().micros().p99())),
        Words.figure(
            figures.of(contender, scenario, load -> load.outcome().micros().p999())));
  }

  private void openLoop(Markdown markdown) {
    markdown.heading("%s keys, at fixed rates".formatted(Words.count(settings.mostKeys())));
    markdown.line(
        "Requests are due at parts of what Tidegate answers at most, however soon answers come, over"
            + " %d connections. Times are from when a request is due; sent late is the part of them until it is sent."
                .formatted(settings.mostConnections()));
    markdown.line("");
    markdown.header(List.of(
        "",
        "requests/s",
        "p50, µs",
        "p99, µs",
        "p99.9, µs",
        "longest, µs",
        "sent late p99, µs",
        "server CPU, s per million"));
    for (int percent : settings.percents()) {
      Scenario scenario = new Scenario(settings.mostConnections(), settings.mostKeys(), percent);
      for (HttpContender contender : HttpContender.values()) {
        List<String> cells = new ArrayList<>();
        cells.add(Words.many(figures.of(contender, scenario, Load::perSecond)));
        cells.addAll(latencies(contender, scenario));
        cells.add(Words.figure(
            figures.of(contender, scenario, load -> load.outcome().micros().max())));
        cells.add(Words.figure(
            figures.of(contender, scenario, load -> load.outcome().lateMicros().p99())));
        cells.add(Words.figure(figures.of(contender, scenario, Load::serverSecondsPerMillion)));
        markdown.row("%d %%, %s".formatted(percent, contender.label()), cells);
      }
    }
  }

  private void memory(Markdown markdown) {
    markdown.heading("Memory");
    markdown.line(
        "A server of its own, asked for %s series in batches of 100. Heap is what is left of it after a"
                .formatted(Words.count(settings.series()))
            + " collection; resident is what the process has of the system just before that.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "series",
        "filled in, s",
        "resident, MB",
        "heap before, MB",
        "heap after, MB",
        "B per series"));
    for (Memory memory : figures.memories()) {
      boolean counts = memory.after().series() > memory.before().series();
      markdown.row(
          memory.contender().label(),
          List.of(
              Words.count(memory.after().series()),
              Words.figure(memory.fillingSeconds()),
              memory.residentBytes() == 0
                  ? Words.UNMEASURED
                  : Words.figure(memory.residentBytes() / 1e6),
              Words.figure(memory.before().heapBytes() / 1e6),
              Words.figure(memory.after().heapBytes() / 1e6),
              counts ? Words.bytes(memory.bytesPerSeries()) : Words.UNMEASURED));
    }
  }
}
