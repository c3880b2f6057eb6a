package io.tidegate.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An application behind a gateway. It answers every request with {@code hello} and repeats the
 * request header {@code x-use-tokens} as the response header {@code x-used-tokens}.
 */
final class Application implements AutoCloseable {

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final AtomicLong requests = new AtomicLong();

  private Application() {
    server =
        Await.result(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
  }

  static Application start() {
    return new Application();
  }

  private void answer(HttpServerRequest request) {
    requests.incrementAndGet();
    String tokens = request.getHeader("x-use-tokens");
    if (tokens != null) {
      request.response().putHeader("x-used-tokens", tokens);
    }
    request.response().end("hello");
  }

  int port() {
    return server.actualPort();
  }

  /** Requests that were answered. */
  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
