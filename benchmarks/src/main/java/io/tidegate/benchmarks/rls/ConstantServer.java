package io.tidegate.benchmarks.rls;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.HexFormat;

/**
 * The least that a gRPC server on the same framework can do: it reads a call to its end and sends a
 * constant answer. Settings, headers and length of the answer are those of Tidegate.
 */
final class ConstantServer extends VerticleBase {

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

  /** Shared by all event loops; a process has one server. */
  private static volatile int port;

  /** Starts the server on a free loopback port and returns the port. */
  static int start(int eventLoops) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    DeploymentOptions options = new DeploymentOptions().setInstances(eventLoops);
    vertx.deployVerticle(ConstantServer::new, options).await();
    return port;
  }

  @Override
  public Future<HttpServer> start() {
    HttpServerOptions options = new HttpServerOptions()
        .setMaxHeaderSize(16 << 10)
        .setHttp2ClearTextEnabled(true)
        .setReuseAddress(true)
        .setTcpNoDelay(true);
    return vertx
        .createHttpServer(options)
        .requestHandler(ConstantServer::answer)
        .listen(SocketAddress.sharedRandomPort(1, "127.0.0.1"))
        .onSuccess(server -> port = server.actualPort());
  }

  private static void answer(HttpServerRequest request) {
    request.handler(chunk -> {});
    request.endHandler(end -> request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, GRPC)
        .putTrailer(GRPC_STATUS, ZERO)
        .end(ANSWER));
  }
}
