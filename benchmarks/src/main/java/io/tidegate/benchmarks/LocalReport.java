package io.tidegate.benchmarks;

import io.tidegate.benchmarks.LocalSettings.Group;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a run has found, in Markdown. */
record LocalReport(Machine machine, LocalSettings settings, LocalFigures figures) {

  private static final String UNMEASURED = "–";

  String markdown() {
    List<String> lines = new ArrayList<>();
    setting(lines);
    for (Scenario scenario : Scenario.values()) {
      times(scenario, lines);
    }
    ratios(lines);
    batches(lines);
    memory(lines);
    targets(lines);
    losses(lines);
    return String.join("\n", lines) + "\n";
  }

  private void setting(List<String> lines) {
    String flags =
        machine.flags().isEmpty() ? "no flags" : "`" + String.join(" ", machine.flags()) + "`";
    lines.add("%d processors (%s), %s, %s, %s."
        .formatted(
            machine.processors(), machine.processor(), machine.system(), machine.jvm(), flags));
    lines.add("%s keys, %d rounds; in each %d x %d ms measured after %d x %d ms of warm-up."
        .formatted(
            Words.count(settings.keys()),
            settings.rounds(),
            settings.iterations(),
            settings.iterationMillis(),
            settings.warmups(),
            settings.iterationMillis()));
    if (machine.isBusy()) {
      lines.add("");
      lines.add(
          "**The machine was busy with other things** when the run began, at a load of %s: expect wide spreads."
              .formatted(Words.load(machine.load())));
    }
    if (settings.quick()) {
      lines.add("");
      lines.add(
          "**A quick run**, for a first look: fewer keys than the 1,000,000 that the targets speak of, short"
              + " iterations, and only a part of the scenarios.");
    }
    lines.add("");
    lines.add(
        "Times are of one thread, in ns per operation: median [min..max] of the rounds. Tidegate reads its"
            + " clock at every decision unless it says \"time given\", as all others do.");
  }

  private void times(Scenario scenario, List<String> lines) {
    List<Group> groups = groupsOf(scenario);
    if (groups.isEmpty()) {
      return;
    }
    heading(title(scenario), lines);
    List<String> header = new ArrayList<>(List.of(""));
    for (Group group : groups) {
      header.add(Words.threads(group.threads()) + ", ns");
      header.add("B");
    }
    header(header, lines);
    for (Competitor competitor : measuredIn(groups)) {
      List<String> cells = new ArrayList<>();
      for (Group group : groups) {
        cells.add(cell(figures.nanos(scenario, group.threads(), competitor), Words::nanos));
        cells.add(cell(
            figures.bytes(scenario, group.threads(), competitor),
            bytes -> Words.bytes(bytes.median())));
      }
      row(competitor.label(), cells, lines);
    }
  }

  private void ratios(List<String> lines) {
    heading("Ratios", lines);
    lines.add(
        "How many times as long as Tidegate, in the same round; more than 1 means that Tidegate is faster.");
    lines.add("");
    List<String> header = new ArrayList<>(List.of(""));
    for (Group group : settings.groups()) {
      header.add(group.scenario().label() + ", " + Words.threads(group.threads()));
    }
    header(header, lines);
    for (Competitor competitor : measuredIn(settings.groups())) {
      if (competitor != Competitor.TIDEGATE) {
        row(
            competitor.label(),
            settings.groups().stream()
                .map(group -> cell(
                    figures.ratio(group.scenario(), group.threads(), competitor), Words::ratio))
                .toList(),
            lines);
      }
    }
  }

  private void batches(List<String> lines) {
    heading("Batches, 1 thread", lines);
    List<String> header = new ArrayList<>(List.of(""));
    for (int size : settings.batchSizes()) {
      header.add(size + " requests, ns");
      header.add("B");
    }
    header(header, lines);
    for (BatchBenchmark.Kind kind : BatchBenchmark.Kind.values()) {
      List<String> cells = new ArrayList<>();
      for (int size : settings.batchSizes()) {
        cells.add(Words.nanos(figures.batchNanos(kind, size)));
        cells.add(Words.bytes(figures.batchBytes(kind, size).median()));
      }
      row(kind.label(), cells, lines);
    }
  }

  private void memory(List<String> lines) {
    heading("Memory", lines);
    lines.add("Heap per known identifier of 24 characters, its string included; %s of them."
        .formatted(Words.count(MemoryProbe.IDENTIFIERS)));
    lines.add("");
    header(List.of("", "B"), lines);
    for (Map.Entry<Competitor, Double> entry : figures.bytesPerIdentifier().entrySet()) {
      row(entry.getKey().label(), List.of(Words.bytes(entry.getValue())), lines);
    }
  }

  private void targets(List<String> lines) {
    heading("Targets", lines);
    header(List.of("", "", "figure"), lines);
    for (LocalTargets.Verdict verdict : LocalTargets.verdicts(figures)) {
      row(verdict.target(), List.of(verdict.met() ? "met" : "missed", verdict.figure()), lines);
    }
  }

  private void losses(List<String> lines) {
    heading("Where we lose", lines);
    int before = lines.size();
    for (LocalTargets.Comparison loss : LocalTargets.losses(figures)) {
      lines.add("- %s, %s: %s takes %s of our time"
          .formatted(
              title(loss.scenario()),
              Words.threads(loss.threads()),
              loss.competitor().label(),
              Words.ratio(loss.ratio())));
    }
    double ours = figures.bytesPerIdentifier().get(Competitor.TIDEGATE);
    figures.bytesPerIdentifier().forEach((competitor, bytes) -> {
      if (bytes < ours) {
        lines.add("- memory: %s takes %s B per identifier, we take %s B"
            .formatted(competitor.label(), Words.bytes(bytes), Words.bytes(ours)));
      }
    });
    if (lines.size() == before) {
      lines.add("Nowhere in this run.");
    }
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
    return spread.map(words).orElse(UNMEASURED);
  }

  private static void heading(String title, List<String> lines) {
    lines.add("");
    lines.add("### " + Character.toUpperCase(title.charAt(0)) + title.substring(1));
    lines.add("");
  }

  private static void header(List<String> cells, List<String> lines) {
    lines.add("| " + String.join(" | ", cells) + " |");
    lines.add("|---" + "|--:".repeat(cells.size() - 1) + "|");
  }

  private static void row(String label, List<String> cells, List<String> lines) {
    lines.add("| " + label + " | " + String.join(" | ", cells) + " |");
  }
}
