package io.tidegate.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Markdown table that is described by its columns.
 *
 * <p>A row is one measurement. Rows with the same label share a line, and a cell has the median and
 * the range of their figures.
 */
public final class Table<R> {

  private record Column<R>(String heading, Function<List<R>, String> text, Predicate<R> condition) {

    String cell(List<R> rows) {
      List<R> measured = rows.stream().filter(condition).toList();
      return measured.isEmpty() ? Format.UNMEASURED : text.apply(measured);
    }
  }

  private final List<R> rows;
  private final Map<String, Map<String, String>> references = new LinkedHashMap<>();
  private final List<Column<R>> columns = new ArrayList<>();
  private String labelHeading = "";
  private Function<R, String> label = row -> "";
  private Predicate<R> condition = row -> true;

  private Table(List<R> rows) {
    this.rows = rows;
  }

  public static <R> Table<R> of(List<R> rows) {
    return new Table<>(rows);
  }

  /** The first column. Lines are in the order of their first rows. */
  public Table<R> label(String heading, Function<R, String> label) {
    this.labelHeading = heading;
    this.label = label;
    return this;
  }

  /** A column of figures. Those that are not finite were not measured. */
  public Table<R> column(String heading, ToDoubleFunction<R> figure, Format format) {
    return text(heading, sameLabel -> {
      double[] measured =
          sameLabel.stream().mapToDouble(figure).filter(Double::isFinite).toArray();
      return measured.length == 0 ? Format.UNMEASURED : format.of(Spread.of(measured));
    });
  }

  /** A column with cells that are not a figure of each row. */
  public Table<R> text(String heading, Function<List<R>, String> text) {
    columns.add(new Column<>(heading, text, condition));
    return this;
  }

  /**
   * Describes columns that exist for some rows only. A cell without such rows is shown as not
   * measured. Columns for several values of a property spread it over the width of the table.
   */
  public Table<R> where(Predicate<R> condition, Consumer<Table<R>> columns) {
    Predicate<R> outer = this.condition;
    this.condition = outer.and(condition);
    columns.accept(this);
    this.condition = outer;
    return this;
  }

  /** A first line with texts by heading, to hold the figures against. */
  public Table<R> reference(String label, Map<String, String> cells) {
    references.put(label, cells);
    return this;
  }

  String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(line(labelHeading, Column::heading));
    lines.add("|---" + "|--:".repeat(columns.size()) + "|");
    references.forEach((label, cells) ->
        lines.add(line(label, column -> cells.getOrDefault(column.heading, Format.UNMEASURED))));
    rows.stream()
        .collect(Collectors.groupingBy(label, LinkedHashMap::new, Collectors.toList()))
        .forEach((label, sameLabel) -> lines.add(line(label, column -> column.cell(sameLabel))));
    return String.join("\n", lines);
  }

  private String line(String label, Function<Column<R>, String> cell) {
    return Stream.concat(Stream.of(label), columns.stream().map(cell))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }
}
