package io.tidegate.server.http;

import io.tidegate.server.log.LineBudget;
import io.tidegate.server.log.Log;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Log lines about single requests, each with the request's id and path. Clients decide how many
 * requests fail, so at most {@value #LINES_PER_SECOND} warnings and as many errors are written in a
 * second; the field {@code suppressed} of the next line counts the others.
 */
final class RequestLog {

  static final int LINES_PER_SECOND = 10;

  /** Apart, so that many warnings about a dependency do not hide a defect. */
  private static final LineBudget WARNINGS = new LineBudget(LINES_PER_SECOND);

  private static final LineBudget ERRORS = new LineBudget(LINES_PER_SECOND);

  private RequestLog() {}

  static void warn(Call call, String message, @Nullable Object... fields) {
    long suppressed = WARNINGS.take();
    if (suppressed != LineBudget.SUPPRESSED) {
      Log.warn(message, fields(call, suppressed, fields));
    }
  }

  static void error(Call call, String message, Throwable error) {
    long suppressed = ERRORS.take();
    if (suppressed != LineBudget.SUPPRESSED) {
      Log.error(message, error, fields(call, suppressed));
    }
  }

  private static @Nullable Object[] fields(Call call, long suppressed, @Nullable Object... more) {
    List<@Nullable Object> fields =
        new ArrayList<>(List.of("requestId", call.requestId(), "path", call.path()));
    Collections.addAll(fields, more);
    if (suppressed > 0) {
      Collections.addAll(fields, "suppressed", suppressed);
    }
    return fields.toArray();
  }
}
