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
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A table that is described once, by its columns, and written as Markdown and as JSON.
 *
 * <p>A row is one measurement. In JSON every row is an object. In Markdown rows with the same label
 * share a line, and a cell has the median and the range of their figures.
 *
 * <pre>{@code
 * Table.of(loads)
 *     .label("", Load::contender)
 *     .column("decisions/s", Load::perSecond, Format.MANY)
 *     .where(Load::isTidegate, ours -> ours.column("messages/s", Load::messages, Format.MANY));
 * }</pre>
 */
public final class Table<R> {

  private record Column<R>(String heading, Function<List<R>, String> text, Predicate<R> condition) {

    String cell(List<R> rows) {
      List<R> measured = rows.stream().filter(condition).toList();
      return measured.isEmpty() ? Format.UNMEASURED : text.apply(measured);
    }
  }

  private record Field<R>(String name, Function<R, ?> value, Predicate<R> condition) {}

  private record Reference(String label, Map<String, String> cells) {}

  private final List<R> rows;
  private final List<Reference> references = new ArrayList<>();
  private final List<Column<R>> columns = new ArrayList<>();
  private final List<Field<R>> fields = new ArrayList<>();
  private String labelHeading = "";
  private Function<R, String> label = row -> "";
  private Predicate<R> condition = row -> true;

  private Table(List<R> rows) {
    this.rows = rows;
  }

  public static <R> Table<R> of(List<R> rows) {
    return new Table<>(rows);
  }

  /** The first column of the Markdown table. Lines are in the order of their first rows. */
  public Table<R> label(String heading, Function<R, String> label) {
    this.labelHeading = heading;
    this.label = label;
    return this;
  }

  /** A figure for both outputs. */
  public Table<R> column(String heading, String field, ToDoubleFunction<R> figure, Format format) {
    return field(field, figure::applyAsDouble).column(heading, figure, format);
  }

  /** A figure for Markdown only, because JSON has it in another table or can derive it. */
  public Table<R> column(String heading, ToDoubleFunction<R> figure, Format format) {
    return text(heading, sameLabel -> cell(sameLabel.stream().mapToDouble(figure), format));
  }

  /** Figures that are not finite were not measured. */
  private static String cell(DoubleStream figures, Format format) {
    double[] measured = figures.filter(Double::isFinite).toArray();
    return measured.length == 0 ? Format.UNMEASURED : format.of(Spread.of(measured));
  }

  /** A Markdown column with cells that are not a figure of each row. */
  public Table<R> text(String heading, Function<List<R>, String> text) {
    columns.add(new Column<>(heading, text, condition));
    return this;
  }

  /** A value for JSON only: a string, number, boolean, list or map. */
  public Table<R> field(String name, Function<R, ?> value) {
    fields.add(new Field<>(name, value, condition));
    return this;
  }

  /**
   * Describes columns that exist for some rows only. A cell without such rows is shown as not
   * measured, and the JSON objects of the other rows lack the field. Columns for several values of
   * a property spread it over the width of the table.
   */
  public Table<R> where(Predicate<R> condition, Consumer<Table<R>> columns) {
    Predicate<R> outer = this.condition;
    this.condition = outer.and(condition);
    columns.accept(this);
    this.condition = outer;
    return this;
  }

  /** A first line with texts by heading, to hold the figures against. Not part of the JSON. */
  public Table<R> reference(String label, Map<String, String> cells) {
    references.add(new Reference(label, cells));
    return this;
  }

  String markdown() {
    List<String> lines = new ArrayList<>();
    lines.add(line(labelHeading, columns.stream().map(Column::heading)));
    lines.add("|---" + "|--:".repeat(columns.size()) + "|");
    for (Reference reference : references) {
      lines.add(line(
          reference.label,
          columns.stream()
              .map(column -> reference.cells.getOrDefault(column.heading, Format.UNMEASURED))));
    }
    byLabel()
        .forEach((label, sameLabel) ->
            lines.add(line(label, columns.stream().map(column -> column.cell(sameLabel)))));
    return String.join("\n", lines);
  }

  private Map<String, List<R>> byLabel() {
    return rows.stream()
        .collect(Collectors.groupingBy(label, LinkedHashMap::new, Collectors.toList()));
  }

  private static String line(String label, Stream<String> cells) {
    return Stream.concat(Stream.of(label), cells).collect(Collectors.joining(" | ", "| ", " |"));
  }

  List<Map<String, Object>> json() {
    return rows.stream().map(this::json).toList();
  }

  private Map<String, Object> json(R row) {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Field<R> field : fields) {
      if (field.condition.test(row)) {
        object.put(field.name, field.value.apply(row));
      }
    }
    return object;
  }
}
