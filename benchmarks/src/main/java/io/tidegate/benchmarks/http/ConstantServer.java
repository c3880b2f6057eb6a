package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.ConstantListener;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;

/** Sends a constant answer with the headers and the length of Tidegate's. */
final class ConstantServer {

  /** Has the length of every answer to the requests of {@link LoadGenerator}. */
  static final String ANSWER =
      "{\"meta\":{\"requestId\":\"req_000000000\"},\"data\":{\"success\":true,\"limit\":1000000000,"
          + "\"remaining\":999999999,\"reset\":1800000000000}}";

  private static final Buffer CONTENT = Buffer.buffer(ANSWER);
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private ConstantServer() {}

  /** Starts the server on a free loopback port and returns the port. */
  static int start(int eventLoops) {
    HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(false);
    return ConstantListener.start(
        eventLoops,
        options,
        response -> response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(CONTENT));
  }
}
