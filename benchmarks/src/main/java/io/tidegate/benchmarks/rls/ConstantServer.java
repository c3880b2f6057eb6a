package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.ConstantListener;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import java.util.HexFormat;

/** Sends a constant gRPC answer with the headers, trailers and length of Tidegate's. */
final class ConstantServer {

  /**
   * The message OK {OK, limit 1,000,000,000 per minute named user, 999,999,999 left, reset in 60
   * s}, after the five bytes that gRPC puts before a message. It has the length of every answer to
   * a call within the limit that has one entry.
   */
  static final Buffer ANSWER = Buffer.buffer(HexFormat.of()
      .parseHex("00" + "00000020" // not compressed, length
          + "0801" // OK
          + "121c" // one status
          + "0801" // OK
          + "120e" + "088094ebdc03" + "1002" + "1a0475736572" // limit: requests, unit and name
          + "18ff93ebdc03" // remaining
          + "2202" + "083c")); // reset

  private static final CharSequence GRPC = HttpHeaders.createOptimized("application/grpc");
  private static final CharSequence GRPC_STATUS = HttpHeaders.createOptimized("grpc-status");
  private static final CharSequence ZERO = HttpHeaders.createOptimized("0");

  private ConstantServer() {}

  /** Starts the server on a free loopback port and returns the port. */
  static int start(int eventLoops) {
    HttpServerOptions options = new HttpServerOptions().setHttp2ClearTextEnabled(true);
    return ConstantListener.start(
        eventLoops,
        options,
        response -> response
            .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
            .putTrailer(GRPC_STATUS, ZERO)
            .end(ANSWER));
  }
}
