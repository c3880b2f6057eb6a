package io.tidegate.server.api;

import io.tidegate.model.Bounds;
import io.tidegate.server.http.Call;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.Violation;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The time at which a request is judged: now, or in tests what its header says. */
final class RequestTime {

  static final String HEADER = "X-Test-Time";

  private final InstantSource clock;
  private final boolean obeysHeader;

  RequestTime(InstantSource clock, boolean obeysHeader) {
    this.clock = clock;
    this.obeysHeader = obeysHeader;
  }

  /** What is wrong with the header; null if nothing is. */
  @Nullable
  Problem refusal(Call call) {
    if (!obeysHeader) {
      return null;
    }
    try {
      millis(call);
      return null;
    } catch (IllegalArgumentException e) { // no number, or too far from now
      return Problem.invalidHeader(
          "The header " + HEADER + " must be a time in milliseconds.",
          new Violation(
              "header." + HEADER,
              "must be an integer between " + -Bounds.MAX_TIME_MILLIS + " and "
                  + Bounds.MAX_TIME_MILLIS + ": " + call.header(HEADER),
              "Send milliseconds since 1970, or leave the header out."));
    }
  }

  long millis(Call call) {
    String header = obeysHeader ? call.header(HEADER) : null;
    return header == null ? clock.millis() : Bounds.checkTime(Long.parseLong(header));
  }
}
