package io.tidegate.server.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Log lines about single requests, each with the request's id and path. The number of failing
 * requests depends on clients, so at most {@value #LINES_PER_SECOND} warnings and as many errors
 * are written per second; the field {@code suppressed} of the next line counts the others.
 */
public final class RequestLog {

  static final int LINES_PER_SECOND = 10;

  /** Separate budgets, so that many warnings about a dependency do not hide a defect. */
  private static final LineBudget WARNINGS = new LineBudget(LINES_PER_SECOND);

  private static final LineBudget ERRORS = new LineBudget(LINES_PER_SECOND);

  private RequestLog() {}

  /** Logs a warning, with further fields as names and values in turn. */
  public static void warn(
      String requestId, String path, String message, @Nullable Object... fields) {
    WARNINGS
        .take()
        .ifPresent(suppressed -> Log.warn(message, fields(requestId, path, suppressed, fields)));
  }

  /** Logs a defect. */
  public static void error(String requestId, String path, String message, Throwable error) {
    ERRORS
        .take()
        .ifPresent(suppressed -> Log.error(message, error, fields(requestId, path, suppressed)));
  }

  private static @Nullable Object[] fields(
      String requestId, String path, long suppressed, @Nullable Object... more) {
    List<@Nullable Object> fields = new ArrayList<>(List.of("requestId", requestId, "path", path));
    Collections.addAll(fields, more);
    if (suppressed > 0) {
      Collections.addAll(fields, "suppressed", suppressed);
    }
    return fields.toArray();
  }
}
