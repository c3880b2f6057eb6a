package io.tidegate.server.api;

import io.tidegate.model.Bounds;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.InputError;
import io.tidegate.server.http.Problem;
import io.tidegate.server.http.ProblemException;
import java.time.Instant;
import java.time.InstantSource;

/** The clock of each request: the node's, or on test nodes the time that the request names. */
final class RequestClock {

  static final String HEADER = "X-Test-Time";

  private final InstantSource clock;
  private final boolean obeysHeader;

  private RequestClock(InstantSource clock, boolean obeysHeader) {
    this.clock = clock;
    this.obeysHeader = obeysHeader;
  }

  /** Ignores the header. */
  static RequestClock ofNode(InstantSource clock) {
    return new RequestClock(clock, false);
  }

  /** Obeys the header, which a client can use to reset its limits; for tests only. */
  static RequestClock ofTests(InstantSource clock) {
    return new RequestClock(clock, true);
  }

  /**
   * The clock of a request.
   *
   * @throws ProblemException if the header is obeyed and is not a valid time
   */
  InstantSource of(HttpExchange exchange) {
    String header = obeysHeader ? exchange.header(HEADER) : null;
    return header == null ? clock : parse(header);
  }

  private static InstantSource parse(String header) {
    try {
      return InstantSource.fixed(Instant.ofEpochMilli(Bounds.checkTime(Long.parseLong(header))));
    } catch (IllegalArgumentException e) { // not a number, or out of bounds
      throw new ProblemException(Problem.invalidHeader(
          "The header " + HEADER + " must be a time in milliseconds.",
          new InputError(
              "header." + HEADER,
              "must be an integer between " + -Bounds.MAX_TIME_MILLIS + " and "
                  + Bounds.MAX_TIME_MILLIS + ": " + header,
              "Send milliseconds since 1970, or omit the header.")));
    }
  }
}
