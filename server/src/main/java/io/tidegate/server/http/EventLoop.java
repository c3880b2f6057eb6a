package io.tidegate.server.http;

import io.netty.handler.codec.http2.Http2Exception;
import io.tidegate.server.observe.HttpMetrics;
import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a port and its connections. Several event loops share the port; each writes only
 * its own state.
 */
final class EventLoop extends VerticleBase {

  /** How often timeouts are checked, and so by how much they can be exceeded. */
  private static final Duration SWEEP_INTERVAL = Duration.ofSeconds(1);

  /** How long a new connection may take to send the headers of its first request. */
  private static final Duration FIRST_HEADERS_TIMEOUT = Duration.ofSeconds(10);

  /** The answers buffered for a client that does not read them; more than any single answer. */
  private static final int MAX_UNSENT_BYTES = 4 << 20;

  /** Longer than plain requests; longer reads are possible and slower. */
  private static final int READ_BUFFER_BYTES = 64 << 10;

  /** How often a stop looks whether the last plain exchanges have ended. */
  private static final Duration STOP_INTERVAL = Duration.ofMillis(10);

  private final HttpListener server;
  private final Map<HttpConnection, ClientConnection> connections = new HashMap<>();
  private final JsonWriter json = new JsonWriter();
  private final byte[] readBuffer = new byte[READ_BUFFER_BYTES];

  private @Nullable HttpServer listener;

  EventLoop(HttpListener server) {
    this.server = server;
  }

  @Override
  public Future<HttpServer> start() {
    HttpServer http = vertx.createHttpServer(server.options());
    listener = http;
    vertx.setPeriodic(SWEEP_INTERVAL.toMillis(), timer -> sweep(System.nanoTime()));
    return http.connectionHandler(this::opened)
        .requestHandler(this::requested)
        .invalidRequestHandler(this::invalid)
        .listen(server.address())
        .onSuccess(server::listening);
  }

  /** Accepts no new connections, and completes when all requests were answered or cut off. */
  @Override
  public Future<Void> stop() {
    long timeoutMillis = Math.max(1, server.stopTimeout().toMillis());
    vertx.setTimer(timeoutMillis, late -> {
      for (ClientConnection connection : List.copyOf(connections.values())) {
        cutOff(connection, CutOff.STOPPING);
      }
    });
    return plainExchangesEnded()
        .compose(ended -> Objects.requireNonNull(listener).shutdown(server.stopTimeout()));
  }

  /** Vert.x closes connections that it knows no request of, so it has to wait for these. */
  private Future<Void> plainExchangesEnded() {
    Promise<Void> ended = Promise.promise();
    vertx.setPeriodic(0, STOP_INTERVAL.toMillis(), timer -> {
      List.copyOf(connections.values()).forEach(ClientConnection::handOverPart);
      if (connections.values().stream().noneMatch(ClientConnection::isBusyPlain)) {
        vertx.cancelTimer(timer);
        ended.tryComplete();
      }
    });
    return ended.future();
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
    if (server.readsPlainRequests()) {
      client.beginPlain(this);
    }
    connection.exceptionHandler(this::broken); // without it, Vert.x logs an error for each
    connection.closeHandler(closed -> {
      connections.remove(connection);
      client.exchanges().forEach(HttpExchange::abandon);
      if (!client.wasUsed()) {
        server.firstRequest();
      }
      server.disconnected();
      metrics().connectionClosed();
    });
  }

  private void requested(HttpServerRequest request) {
    ClientConnection connection = connections.get(request.connection());
    if (connection == null) {
      return; // the connection was rejected and is being closed
    }
    requested(connection);
    Endpoint endpoint = server.endpoint(request);
    new VertxExchange(this, connection, request, endpoint, System.nanoTime()).receive();
  }

  /** Called before each exchange of a connection. */
  void requested(ClientConnection connection) {
    if (!connection.wasUsed()) {
      server.firstRequest();
    }
  }

  /** Counts a connection that ends because a client broke the rules of HTTP/2. */
  private void broken(Throwable failure) {
    if (failure instanceof Http2Exception) {
      metrics().cutOff(CutOff.BAD_REQUEST);
    }
  }

  /** Handles a request that is not HTTP, or whose headers are too long. */
  private void invalid(HttpServerRequest request) {
    metrics().cutOff(CutOff.BAD_REQUEST);
    HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
  }

  private void sweep(long nowNanos) {
    for (ClientConnection connection : List.copyOf(connections.values())) {
      for (HttpExchange exchange : connection.exchanges()) {
        if (exchange.isOverdue(nowNanos)) {
          exchange.timeOut();
        }
      }
      connection.sweepPlain();
      if (connection.isIdle()) {
        sweepIdle(connection, nowNanos - connection.idleSinceNanos());
      }
    }
  }

  private void sweepIdle(ClientConnection connection, long idleNanos) {
    if (idleNanos > limits().idleTimeout().toNanos()) {
      connection.handOverPart(); // begins an exchange if the head of a request has arrived
      if (!connection.isIdle()) {
        return;
      }
      metrics().cutOff(connection.isRead() ? CutOff.IDLE : CutOff.SLOW_READER);
      connection.closeIdle();
    } else if (!connection.wasUsed() && idleNanos > FIRST_HEADERS_TIMEOUT.toNanos()) {
      cutOff(connection, CutOff.SLOW_HEADERS);
    }
  }

  void cutOff(ClientConnection connection, CutOff reason) {
    metrics().cutOff(reason);
    connection.close();
  }

  /** Counts an answer as unsent until it is written. Cuts off a client that has too many. */
  void unsent(ClientConnection connection, int bytes, Future<Void> written) {
    if (connection.addUnsent(bytes) > MAX_UNSENT_BYTES) {
      cutOff(connection, CutOff.SLOW_READER);
    } else {
      written.onComplete(done -> connection.addUnsent(-bytes));
    }
  }

  void onEventLoop(Runnable work) {
    context.runOnContext(now -> work.run());
  }

  /** For the answer that is being written; overwritten by the next one. */
  JsonWriter json() {
    return json;
  }

  /** For the bytes that are being read; overwritten by the next read of any connection. */
  byte[] readBuffer() {
    return readBuffer;
  }

  Map<String, Endpoint> endpoints() {
    return server.endpoints();
  }

  HttpListener.Limits limits() {
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
