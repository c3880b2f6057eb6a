package io.tidegate.benchmarks.http;

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

/**
 * The least that a server on the same framework can do: it reads a request to its end and sends a
 * constant answer. Settings, headers and length of the answer are those of Tidegate.
 */
final class ConstantServer extends VerticleBase {

  /** Has the length of every answer to the requests of {@link LoadGenerator}. */
  static final String ANSWER =
      "{\"meta\":{\"requestId\":\"req_000000000\"},\"data\":{\"success\":true,\"limit\":1000000000,"
          + "\"remaining\":999999999,\"reset\":1800000000000}}";

  private static final Buffer CONTENT = Buffer.buffer(ANSWER);
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

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
        .setHttp2ClearTextEnabled(false)
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
    request.endHandler(
        end -> request.response().putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(CONTENT));
  }
}
