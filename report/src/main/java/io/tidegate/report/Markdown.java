package io.tidegate.report;

import java.util.ArrayList;
import java.util.List;

/** A report being written, and what all reports have in common. */
public final class Markdown {

  private final List<String> lines = new ArrayList<>();

  /** A report of which nothing is written yet. */
  public Markdown() {}

  /** Where the figures come from. */
  public void machine(Machine machine) {
    String flags =
        machine.flags().isEmpty() ? "no flags" : "`" + String.join(" ", machine.flags()) + "`";
    lines.add("%d processors (%s), %s, %s, %s."
        .formatted(
            machine.processors(), machine.processor(), machine.system(), machine.jvm(), flags));
  }

  /** A reason to be careful with the figures, if there is one. */
  public void machineBusy(Machine machine) {
    if (machine.isBusy()) {
      paragraph(
          "**The machine was busy with other things** when the run began, at a load of %s: expect wide spreads."
              .formatted(Words.load(machine.load())));
    }
  }

  public void line(String line) {
    lines.add(line);
  }

  public void paragraph(String text) {
    lines.add("");
    lines.add(text);
  }

  public void heading(String title) {
    lines.add("");
    lines.add("### " + Character.toUpperCase(title.charAt(0)) + title.substring(1));
    lines.add("");
  }

  /** Begins a table. Its first column is for labels, the others are for figures. */
  public void header(List<String> cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
    lines.add("|---" + "|--:".repeat(cells.size() - 1) + "|");
  }

  public void row(String label, List<String> cells) {
    lines.add("| " + label + " | " + String.join(" | ", cells) + " |");
  }

  public void targets(List<Verdict> verdicts) {
    heading("Targets");
    header(List.of("", "", "figure"));
    for (Verdict verdict : verdicts) {
      row(verdict.target(), List.of(verdict.met() ? "met" : "missed", verdict.figure()));
    }
  }

  public void losses(List<String> losses) {
    heading("Where we lose");
    losses.forEach(loss -> lines.add("- " + loss));
    if (losses.isEmpty()) {
      lines.add("Nowhere in this run.");
    }
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
