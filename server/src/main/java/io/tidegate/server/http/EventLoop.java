package io.tidegate.server.http;

import io.tidegate.server.observe.HttpMetrics;
import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One thread of the public port, with its connections. All share the port; none shares anything
 * that is written.
 */
final class EventLoop extends VerticleBase {

  /** How often connections are looked at that may be too slow. */
  private static final Duration SWEEP = Duration.ofSeconds(1);

  /** How soon a new connection must have sent the headers of its first request. */
  private static final Duration FIRST_HEADERS = Duration.ofSeconds(10);

  /** What is kept for a client that asks and does not read: more than any one answer. */
  private static final int MOST_UNSENT_BYTES = 4 << 20;

  private final PublicServer server;
  private final Map<HttpConnection, ClientConnection> connections = new HashMap<>();

  private HttpServer listener;

  EventLoop(PublicServer server) {
    this.server = server;
  }

  @Override
  public Future<HttpServer> start() {
    listener = vertx.createHttpServer(server.options());
    vertx.setPeriodic(SWEEP.toMillis(), timer -> sweep(System.nanoTime()));
    return listener
        .connectionHandler(this::opened)
        .requestHandler(this::requested)
        .invalidRequestHandler(this::misunderstood)
        .listen(server.address())
        .onSuccess(server::listening);
  }

  /** Takes no new connections, and ends when what is under way was answered, or has to end. */
  @Override
  public Future<Void> stop() {
    long timeoutMillis = Math.max(1, server.stopTimeout().toMillis());
    vertx.setTimer(timeoutMillis, late -> {
      for (ClientConnection connection : List.copyOf(connections.values())) {
        cutOff(connection, CutOff.STOPPING);
      }
    });
    return listener.shutdown(server.stopTimeout());
  }

  private void opened(HttpConnection connection) {
    if (!server.admit(ClientConnection.channel(connection))) {
      metrics().connectionRefused();
      connection.close();
      return;
    }
    metrics().connectionOpened();
    ClientConnection client = new ClientConnection(connection, System.nanoTime());
    connections.put(connection, client);
    connection.closeHandler(closed -> {
      connections.remove(connection);
      client.calls().forEach(Call::abandon);
      if (!client.wasUsed()) {
        server.used();
      }
      server.left();
      metrics().connectionClosed();
    });
  }

  private void requested(HttpServerRequest request) {
    ClientConnection connection = connections.get(request.connection());
    if (connection == null) {
      return; // it is being closed
    }
    if (!connection.wasUsed()) {
      server.used();
    }
    Endpoint endpoint = server.endpoint(request);
    new Call(this, connection, request, endpoint, System.nanoTime()).receive();
  }

  /** What is no HTTP, or has more or longer headers than are read. */
  private void misunderstood(HttpServerRequest request) {
    metrics().cutOff(CutOff.BAD_REQUEST);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }

  private void sweep(long nowNanos) {
    for (ClientConnection connection : List.copyOf(connections.values())) {
      for (Call call : connection.calls()) {
        if (call.isLate(nowNanos)) {
          call.timeOut();
        }
      }
      if (connection.isIdle()) {
        sweepIdle(connection, nowNanos - connection.idleSinceNanos());
      }
    }
  }

  private void sweepIdle(ClientConnection connection, long idleNanos) {
    if (idleNanos > limits().idleTimeout().toNanos()) {
      metrics().cutOff(CutOff.IDLE);
      connection.closeIdle();
    } else if (!connection.wasUsed() && idleNanos > FIRST_HEADERS.toNanos()) {
      cutOff(connection, CutOff.SLOW_HEADERS);
    }
  }

  void cutOff(ClientConnection connection, CutOff reason) {
    metrics().cutOff(reason);
    connection.close();
  }

  /** Keeps account of answers that a client does not read, and ends it if they are too many. */
  void unsent(ClientConnection connection, int bytes, Future<Void> written) {
    if (connection.unsent(bytes) > MOST_UNSENT_BYTES) {
      cutOff(connection, CutOff.SLOW_READER);
    } else {
      written.onComplete(done -> connection.unsent(-bytes));
    }
  }

  void onEventLoop(Runnable work) {
    context.runOnContext(now -> work.run());
  }

  PublicServer.Limits limits() {
    return server.limits();
  }

  IncomingBody newBody() {
    return new IncomingBody(server.bodies(), limits().maxBodyBytes());
  }

  HttpMetrics metrics() {
    return server.metrics();
  }

  boolean isStopping() {
    return server.isStopping();
  }
}
