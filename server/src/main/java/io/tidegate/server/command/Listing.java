package io.tidegate.server.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.tidegate.server.log.Escaped;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A list of items, printed as a table for people or as JSON for programs.
 *
 * <pre>{@code
 * new Listing<Workspace>().column("id", Workspace::id).column("name", Workspace::name).print(all, json, out);
 * }</pre>
 */
final class Listing<T> {

  /**
   * Longer texts are cut, except in the last column and in JSON, to keep rows on one line. The
   * longest event of the audit log has 26 characters.
   */
  private static final int MAX_WIDTH = 26;

  private record Column<T>(String name, Function<T, String> text) {}

  private record Field<T>(String name, Function<T, @Nullable Object> value) {}

  private final List<Column<T>> columns = new ArrayList<>();
  private final List<Field<T>> fields = new ArrayList<>();

  /** Adds a value to the table and to JSON. */
  Listing<T> column(String name, Function<T, @Nullable Object> value) {
    return column(name, value, item -> Escaped.of(String.valueOf(value.apply(item))));
  }

  /** Adds a value with a text of its own, which may have several lines in the last column. */
  Listing<T> column(String name, Function<T, @Nullable Object> value, Function<T, String> text) {
    return shown(name, text).json(name, value);
  }

  /** Adds a value to the table only. */
  Listing<T> shown(String name, Function<T, String> text) {
    columns.add(new Column<>(name, text));
    return this;
  }

  /** Adds a value to JSON only. */
  Listing<T> json(String name, Function<T, @Nullable Object> value) {
    fields.add(new Field<>(name, value));
    return this;
  }

  void print(Collection<T> items, boolean json, PrintWriter out) {
    out.println(json ? json(items) : table(items));
  }

  /** The items as a table. */
  String table(Collection<T> items) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        columns.stream().map(column -> column.name.toUpperCase(Locale.ROOT)).toList());
    items.forEach(item -> addRows(item, rows));
    int[] widths = IntStream.range(0, rows.get(0).size())
        .map(i -> rows.stream().mapToInt(row -> length(row.get(i))).max().orElse(0))
        .toArray();
    StringJoiner table = new StringJoiner("\n");
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).append(" ".repeat(widths[i] - length(row.get(i)) + 2));
      }
      table.add(line.toString().stripTrailing());
    }
    return table.toString();
  }

  /** Adds one row for each line of the last column. */
  private void addRows(T item, List<List<String>> rows) {
    List<String> cells = columns.stream().map(column -> column.text.apply(item)).toList();
    int last = cells.size() - 1;
    List<String> lines = cells.get(last).lines().toList();
    for (int i = 0; i < Math.max(1, lines.size()); i++) {
      boolean first = i == 0;
      List<String> row = new ArrayList<>();
      cells.subList(0, last).forEach(cell -> row.add(first ? cut(cell) : ""));
      row.add(lines.isEmpty() ? "" : Escaped.of(lines.get(i)));
      rows.add(row);
    }
  }

  private static String cut(String text) {
    return length(text) <= MAX_WIDTH
        ? Escaped.of(text)
        : Escaped.of(text.substring(0, text.offsetByCodePoints(0, MAX_WIDTH - 3))) + "...";
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  private String json(Collection<T> items) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      json.writeStartArray();
      for (T item : items) {
        json.writeStartObject();
        for (Field<T> field : fields) {
          json.writeFieldName(field.name);
          write(json, field.value.apply(item));
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    if (value == null) {
      json.writeNull();
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Collection<?> values) {
      json.writeStartArray();
      for (Object element : values) {
        json.writeString(element.toString());
      }
      json.writeEndArray();
    } else {
      json.writeString(value.toString());
    }
  }
}
