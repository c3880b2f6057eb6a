package io.tidegate.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as Markdown for readers and JSON for programs, built in the order of its sections. */
public final class Report {

  /** Paragraphs, headings and tables; an empty line separates them. */
  private final List<String> blocks = new ArrayList<>();

  private final Map<String, Object> json = new LinkedHashMap<>();

  public Report() {}

  /** Describes the machine, with a warning if it was busy. */
  public Report machine(Machine machine) {
    json.put("machine", machine);
    String flags =
        machine.flags().isEmpty() ? "no flags" : "`" + String.join(" ", machine.flags()) + "`";
    paragraph("%d processors (%s), %s, %s, %s."
        .formatted(
            machine.processors(), machine.processor(), machine.system(), machine.jvm(), flags));
    if (machine.isBusy()) {
      paragraph("**The machine was busy** when the run began, with a load average of %s:"
              .formatted(Format.FIGURE.of(machine.load()))
          + " expect wide spreads.");
    }
    return this;
  }

  /** Marks a run that is too short for figures to rely on. */
  public Report quick(String what) {
    return paragraph("**Quick run**, for a first impression only: " + what);
  }

  public Report paragraph(String text) {
    blocks.add(text);
    return this;
  }

  public Report section(String title) {
    return paragraph("### " + Character.toUpperCase(title.charAt(0)) + title.substring(1));
  }

  public Report table(Table<?> table) {
    return paragraph(table.markdown());
  }

  /** Adds a value to the JSON only: a string, number, boolean, list, map or record. */
  public Report data(String name, Object value) {
    json.put(name, value);
    return this;
  }

  public Report targets(List<Target> targets) {
    return section("Targets")
        .data("targets", targets)
        .table(Table.of(targets)
            .label("", Target::text)
            .text("", target -> target.get(0).met() ? "met" : "missed")
            .text("figure", target -> target.get(0).figure()));
  }

  /** Lists where an alternative did better. */
  public Report losses(List<String> losses) {
    section("Where Tidegate loses");
    return paragraph(
        losses.isEmpty()
            ? "Nowhere in this run."
            : losses.stream().map(loss -> "- " + loss).collect(Collectors.joining("\n")));
  }

  public String markdown() {
    return String.join("\n\n", blocks) + "\n";
  }

  public String json() {
    return Json.of(json);
  }
}
