package io.tidegate.benchmarks.load;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;

/**
 * The least that a server on the same framework can do: it reads a request to its end and sends a
 * constant answer. Its options are those of Tidegate.
 */
public final class ConstantListener extends VerticleBase {

  /** Shared by all event loops; a process has one server. */
  private static volatile int port;

  private final HttpServerOptions options;
  private final Handler<HttpServerResponse> answer;

  private ConstantListener(HttpServerOptions options, Handler<HttpServerResponse> answer) {
    this.options = options;
    this.answer = answer;
  }

  /**
   * Starts the server on a free loopback port.
   *
   * @param options sets what Tidegate sets for this protocol
   * @param answer sends the answer
   * @return the port
   */
  public static int start(
      int eventLoops, HttpServerOptions options, Handler<HttpServerResponse> answer) {
    options.setMaxHeaderSize(16 << 10).setReuseAddress(true).setTcpNoDelay(true);
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    DeploymentOptions deployment = new DeploymentOptions().setInstances(eventLoops);
    vertx
        .deployVerticle(() -> new ConstantListener(options, answer), deployment)
        .await();
    return port;
  }

  @Override
  public Future<HttpServer> start() {
    return vertx
        .createHttpServer(options)
        .requestHandler(this::read)
        .listen(SocketAddress.sharedRandomPort(1, "127.0.0.1"))
        .onSuccess(server -> port = server.actualPort());
  }

  private void read(HttpServerRequest request) {
    request.handler(chunk -> {});
    request.endHandler(end -> answer.handle(request.response()));
  }
}
