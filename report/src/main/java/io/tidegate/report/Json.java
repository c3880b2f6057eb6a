package io.tidegate.report;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes maps, lists, strings, numbers and booleans as JSON. Figures that are not finite become
 * null.
 */
public final class Json {

  private Json() {}

  public static String of(Object value) {
    return write(value, "") + "\n";
  }

  /** Whether a file can be written, to be checked before a long run and not after it. */
  public static boolean isWritable(Path file) {
    if (Files.exists(file)) {
      return Files.isRegularFile(file) && Files.isWritable(file);
    }
    Path folder = file.toAbsolutePath().getParent();
    return folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
  }

  private static String write(Object value, String indent) {
    String deeper = indent + "  ";
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry ->
              deeper + quoted(entry.getKey().toString()) + ": " + write(entry.getValue(), deeper))
          .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }
    if (value instanceof Record fields) {
      return write(map(fields), indent);
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(element -> deeper + write(element, deeper))
          .collect(Collectors.joining(",\n", "[\n", "\n" + indent + "]"));
    }
    if (value instanceof Double figure) {
      return number(figure);
    }
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : quoted(value.toString());
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

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
