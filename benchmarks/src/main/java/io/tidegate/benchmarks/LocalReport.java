package io.tidegate.benchmarks;

import io.tidegate.benchmarks.LocalSettings.Group;
import io.tidegate.report.Machine;
import io.tidegate.report.Markdown;
import io.tidegate.report.Spread;
import io.tidegate.report.Words;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a run has found, in Markdown. */
record LocalReport(Machine machine, LocalSettings settings, LocalFigures figures) {

  String markdown() {
    Markdown markdown = new Markdown();
    setting(markdown);
    for (Scenario scenario : Scenario.values()) {
      times(scenario, markdown);
    }
    ratios(markdown);
    batches(markdown);
    memory(markdown);
    markdown.targets(LocalTargets.verdicts(figures));
    markdown.losses(losses());
    return markdown.toString();
  }

  private void setting(Markdown markdown) {
    markdown.machine(machine);
    markdown.line("%s keys, %d rounds; in each %d x %d ms measured after %d x %d ms of warm-up."
        .formatted(
            Words.count(settings.keys()),
            settings.rounds(),
            settings.iterations(),
            settings.iterationMillis(),
            settings.warmups(),
            settings.iterationMillis()));
    markdown.machineBusy(machine);
    if (settings.quick()) {
      markdown.paragraph(
          "**A quick run**, for a first look: fewer keys than the 1,000,000 that the targets speak of, short"
              + " iterations, and only a part of the scenarios.");
    }
    markdown.paragraph(
        "Times are of one thread, in ns per operation: median [min..max] of the rounds. Tidegate reads its"
            + " clock at every decision unless it says \"time given\", as all others do.");
  }

  private void times(Scenario scenario, Markdown markdown) {
    List<Group> groups = groupsOf(scenario);
    if (groups.isEmpty()) {
      return;
    }
    markdown.heading(title(scenario));
    List<String> header = new ArrayList<>(List.of(""));
    for (Group group : groups) {
      header.add(Words.threads(group.threads()) + ", ns");
      header.add("B");
    }
    markdown.header(header);
    for (Competitor competitor : measuredIn(groups)) {
      List<String> cells = new ArrayList<>();
      for (Group group : groups) {
        cells.add(cell(figures.nanos(scenario, group.threads(), competitor), Words::figure));
        cells.add(cell(
            figures.bytes(scenario, group.threads(), competitor),
            bytes -> Words.bytes(bytes.median())));
      }
      markdown.row(competitor.label(), cells);
    }
  }

  private void ratios(Markdown markdown) {
    markdown.heading("Ratios");
    markdown.line(
        "How many times as long as Tidegate, in the same round; more than 1 means that Tidegate is faster.");
    markdown.line("");
    List<String> header = new ArrayList<>(List.of(""));
    for (Group group : settings.groups()) {
      header.add(group.scenario().label() + ", " + Words.threads(group.threads()));
    }
    markdown.header(header);
    for (Competitor competitor : measuredIn(settings.groups())) {
      if (competitor != Competitor.TIDEGATE) {
        markdown.row(
            competitor.label(),
            settings.groups().stream()
                .map(group -> cell(
                    figures.ratio(group.scenario(), group.threads(), competitor), Words::ratio))
                .toList());
      }
    }
  }

  private void batches(Markdown markdown) {
    markdown.heading("Batches, 1 thread");
    List<String> header = new ArrayList<>(List.of(""));
    for (int size : settings.batchSizes()) {
      header.add(size + " requests, ns");
      header.add("B");
    }
    markdown.header(header);
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      List<String> cells = new ArrayList<>();
      for (int size : settings.batchSizes()) {
        cells.add(Words.figure(figures.batchNanos(kind, size)));
        cells.add(Words.bytes(figures.batchBytes(kind, size).median()));
      }
      markdown.row(kind.label(), cells);
    }
  }

  private void memory(Markdown markdown) {
    markdown.heading("Memory");
    markdown.line("Heap per known identifier of 24 characters, its string included; %s of them."
        .formatted(Words.count(MemoryProbe.IDENTIFIERS)));
    markdown.line("");
    markdown.header(List.of("", "B"));
    for (Map.Entry<Competitor, Double> entry : figures.bytesPerIdentifier().entrySet()) {
      markdown.row(entry.getKey().label(), List.of(Words.bytes(entry.getValue())));
    }
  }

  private List<String> losses() {
    List<String> losses = new ArrayList<>();
    for (LocalTargets.Comparison loss : LocalTargets.losses(figures)) {
      losses.add("%s, %s: %s takes %s of our time"
          .formatted(
              title(loss.scenario()),
              Words.threads(loss.threads()),
              loss.competitor().label(),
              Words.ratio(loss.ratio())));
    }
    double ours = figures.bytesPerIdentifier().get(Competitor.TIDEGATE);
    figures.bytesPerIdentifier().forEach((competitor, bytes) -> {
      if (bytes < ours) {
        losses.add("memory: %s takes %s B per identifier, we take %s B"
            .formatted(competitor.label(), Words.bytes(bytes), Words.bytes(ours)));
      }
    });
    return losses;
  }

  private String title(Scenario scenario) {
    return scenario.hasManyKeys()
        ? "%s keys, %s".formatted(Words.count(settings.keys()), scenario.label())
        : scenario.label();
  }

  private List<Group> groupsOf(Scenario scenario) {
    return settings.groups().stream()
        .filter(group -> group.scenario() == scenario)
        .toList();
  }

  private static Set<Competitor> measuredIn(List<Group> groups) {
    Set<Competitor> measured = EnumSet.noneOf(Competitor.class);
    groups.forEach(group -> measured.addAll(group.competitors()));
    return measured;
  }

  private static String cell(Optional<Spread> spread, Function<Spread, String> words) {
    return spread.map(words).orElse(Words.UNMEASURED);
  }
}
