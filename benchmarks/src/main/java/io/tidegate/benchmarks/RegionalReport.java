package io.tidegate.benchmarks;

import static io.tidegate.benchmarks.RegionalContender.TIDEGATE;

import io.tidegate.benchmarks.RegionalFigures.Load;
import io.tidegate.benchmarks.RegionalFigures.Pace;
import io.tidegate.report.Machine;
import io.tidegate.report.Markdown;
import io.tidegate.report.Spread;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.List;

/** What a run has found, in Markdown. */
record RegionalReport(Machine machine, RegionalSettings settings, RegionalFigures figures) {

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    for (int keys : settings.keys()) {
      load(keys, markdown);
    }
    lag(markdown);
    admission(markdown);
    RegionalTargets targets = new RegionalTargets(settings, figures);
    markdown.targets(targets.verdicts());
    markdown.losses(targets.whereWeLose());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    markdown.machine(machine);
    markdown.line(
        "%d nodes with a thread each, %d rounds; in each %d ms measured after %d ms of warm-up."
            .formatted(
                RegionalNodes.COUNT,
                settings.rounds(),
                settings.loadMillis(),
                settings.warmupMillis()));
    markdown.machineBusy(machine);
    if (settings.quick()) {
      markdown.paragraph(
          "**A quick run**, for a first look: fewer keys than the 100,000 that the targets"
              + " speak of, and little time for each figure.");
    }
    markdown.paragraph(
        "Nodes, Redis and those who ask share the processors: what one of them takes, the"
            + " others lack. Figures are median [min..max] of the rounds.");
  }

  private void load(int keys, Markdown markdown) {
    markdown.heading("%s keys, zipf, as fast as they can".formatted(Words.count(keys)));
    markdown.line(
        "%s of the keys came up. Messages are Tidegate's HSETs, each in a script with an HMGET and a PEXPIRE. Commands are all"
                .formatted(Words.count(cells(keys)))
            + " that Redis ran, in scripts too.");
    markdown.line("");
    markdown.header(List.of(
        "",
        "decisions/s",
        "times fewer than Tidegate",
        "messages/s",
        "Redis commands/s",
        "Redis, % of a core",
        "decisions per second of Redis' CPU",
        "lost",
        "cold keys/s",
        "settled after, ms"));
    for (RegionalContender contender : RegionalContender.values()) {
      markdown.row(contender.label(), loadCells(keys, contender));
    }
  }

  private int cells(int keys) {
    return (int) figures.load(keys, TIDEGATE, Load::cells).median();
  }

  private List<String> loadCells(int keys, RegionalContender contender) {
    boolean isTidegate = contender == TIDEGATE;
    Spread messages = figures.load(keys, contender, load -> load.traffic().messagesPerSecond());
    List<String> cells = new ArrayList<>();
    cells.add(
        Words.many(figures.load(keys, contender, load -> load.traffic().decisionsPerSecond())));
    cells.add(isTidegate ? "1" : Words.ratio(figures.timesAsFastAs(contender, keys)));
    cells.add(isTidegate ? Words.many(messages) : Words.UNMEASURED);
    cells.add(
        Words.many(figures.load(keys, contender, load -> load.traffic().commandsPerSecond())));
    cells.add(Words.figure(figures.load(keys, contender, load -> load.traffic().redisPercent())));
    cells.add(Words.many(
        figures.load(keys, contender, load -> load.traffic().decisionsPerRedisSecond())));
    cells.add(figures.tally(contender, keys).map(RegionalTargets::lost).orElse(Words.UNMEASURED));
    cells.add(Words.many(figures.load(keys, contender, Load::coldPerSecond)));
    cells.add(Words.figure(figures.load(keys, contender, Load::settlingMillis)));
    return cells;
  }

  private void lag(Markdown markdown) {
    markdown.heading("Lag, and what a decision takes");
    markdown.line(
        "From a request that one node accepts until the other, which uses the key every 2 ms, knows of it;"
            + " %d times a round, while each node decides on %s keys %s times a second. And how long a decision takes"
                .formatted(
                    settings.lagSamples(),
                    Words.count(RegionalLag.BACKGROUND_KEYS),
                    Words.count(RegionalLag.BACKGROUND_PER_SECOND))
            + " there. bucket4j has no lag by construction: each of its decisions is a round trip.");
    markdown.line("");
    markdown.header(
        List.of("", "lag p50, ms", "p99, ms", "longest, ms", "decision p50, µs", "p99, µs"));
    for (RegionalContender contender : RegionalContender.values()) {
      markdown.row(
          contender.label(),
          List.of(
              Words.figure(figures.lag(contender, lag -> lag.millis().p50())),
              Words.figure(figures.lag(contender, lag -> lag.millis().p99())),
              Words.figure(figures.lag(contender, lag -> lag.millis().max())),
              Words.figure(figures.lag(contender, lag -> lag.decisionMicros().p50())),
              Words.figure(figures.lag(contender, lag -> lag.decisionMicros().p99()))));
    }
  }

  private void admission(Markdown markdown) {
    markdown.heading("Over-admission");
    markdown.line(
        "How many times a limit of %s was accepted when both nodes were asked for the same key: as fast as they can until they deny for good, and at an even pace."
            .formatted(Words.count((int) RegionalSettings.SCANT.tokens())));
    markdown.line("");
    List<String> header = new ArrayList<>(List.of(""));
    for (Pace pace : Pace.values()) {
      header.add(pace.label());
    }
    markdown.header(header);
    for (RegionalContender contender : RegionalContender.values()) {
      List<String> cells = new ArrayList<>();
      for (Pace pace : Pace.values()) {
        cells.add(Words.ratio(figures.timesLimit(contender, pace)));
      }
      markdown.row(contender.label(), cells);
    }
  }
}
