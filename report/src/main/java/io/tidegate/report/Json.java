package io.tidegate.report;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes records, maps, lists, strings, numbers and booleans as JSON. Figures that are not finite
 * become null.
 */
final class Json {

  private static final Pattern CONTROL_CHARACTER = Pattern.compile("\\p{Cntrl}");

  private Json() {}

  static String of(Object value) {
    return write(value, "\n") + "\n";
  }

  /** Whether a file can be written, to be checked before a long run and not after it. */
  static boolean isWritable(Path file) {
    return Files.isWritable(Files.exists(file) ? file : file.resolveSibling("."))
        && !Files.isDirectory(file);
  }

  private static String write(Object value, String newLine) {
    String deeper = newLine + "  ";
    if (value instanceof Record fields) {
      return write(map(fields), newLine);
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> deeper + quoted(entry.getKey()) + ": " + write(entry.getValue(), deeper))
          .collect(Collectors.joining(",", "{", newLine + "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(element -> deeper + write(element, deeper))
          .collect(Collectors.joining(",", "[", newLine + "]"));
    }
    if (value instanceof Double figure) {
      return number(figure);
    }
    return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value);
  }

  private static Map<String, Object> map(Record fields) {
    Map<String, Object> map = new LinkedHashMap<>();
    try {
      for (RecordComponent component : fields.getClass().getRecordComponents()) {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        map.put(component.getName(), accessor.invoke(fields));
      }
      return map;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + fields, e);
    }
  }

  private static String number(double figure) {
    if (!Double.isFinite(figure)) {
      return "null";
    }
    boolean isWhole = figure == Math.rint(figure) && Math.abs(figure) < 1e15;
    return isWhole ? String.valueOf((long) figure) : String.valueOf(figure);
  }

  private static String quoted(Object text) {
    String escaped = text.toString().replace("\\", "\\\\").replace("\"", "\\\"");
    return CONTROL_CHARACTER
        .matcher('"' + escaped + '"')
        .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }
}
