package io.tidegate.server.api;

import io.tidegate.model.Bounds;
import io.tidegate.server.http.Call;
import java.time.InstantSource;

/** The time at which a request is judged: now, or in tests what its header says. */
final class RequestTime {

  static final String HEADER = "X-Test-Time";

  private final InstantSource clock;
  private final boolean obeysHeader;

  RequestTime(InstantSource clock, boolean obeysHeader) {
    this.clock = clock;
    this.obeysHeader = obeysHeader;
  }

  long millis(Call call) {
    String header = obeysHeader ? call.header(HEADER) : null;
    return header == null ? clock.millis() : Bounds.checkTime(Long.parseLong(header));
  }
}
