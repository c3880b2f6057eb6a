package io.tidegate.server.http;

import io.netty.channel.Channel;
import io.tidegate.server.observe.HttpMetrics;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The port that clients use: some event loops that answer requests to some paths. */
public final class PublicServer {

  /**
   * What clients may take.
   *
   * @param maxBodyBytes of one request
   * @param maxConnections of all clients
   * @param requestTimeout from the headers of a request to the end of its body
   * @param idleTimeout from an answer to the next request
   */
  public record Limits(
      int maxBodyBytes, int maxConnections, Duration requestTimeout, Duration idleTimeout) {}

  /** All headers of a request together; those of known clients take less than one. */
  private static final int MAX_HEADER_BYTES = 16 << 10;

  /** The share of the heap that unfinished bodies may take together. */
  private static final int BODIES_SHARE = 8;

  /** For connections that are accepted and not seen yet: they may still shake hands. */
  private static final Duration SHORTEST_SETTLE = Duration.ofMillis(100);

  /** Clients send at once on a new connection; pools that open some in advance may never. */
  private static final Duration LONGEST_SETTLE = Duration.ofSeconds(1);

  private static final Duration SETTLE_INTERVAL = Duration.ofMillis(10);

  private final Vertx vertx;
  private final HttpServerOptions options;
  private final Limits limits;
  private final HttpMetrics metrics;
  private final BodyBudget bodies = new BodyBudget(Runtime.getRuntime().maxMemory() / BODIES_SHARE);
  private final Map<String, Endpoint> endpoints = new HashMap<>();
  private final Endpoint unknown;
  private final Map<HttpMethod, Endpoint> wrongMethod = new HashMap<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** Connections of which no request has come yet. */
  private final AtomicInteger unused = new AtomicInteger();

  /** What accepts connections, for all event loops; null before the first connection. */
  private volatile @Nullable Channel acceptor;

  private volatile int port;
  private volatile @Nullable HttpServer listener;
  private volatile boolean stopping;
  private volatile Duration stopTimeout = Duration.ZERO;
  private volatile String deployment = "";

  /**
   * A server that does not listen yet.
   *
   * @param vertx whose event loops are used
   * @param options host, port and TLS; what it says of limits is replaced
   * @param limits what clients may take
   * @param endpoints who answers which path
   * @param metrics counts what happens
   */
  public PublicServer(
      Vertx vertx,
      HttpServerOptions options,
      Limits limits,
      List<Endpoint> endpoints,
      HttpMetrics metrics) {
    this.vertx = vertx;
    this.options = options
        .setMaxHeaderSize(MAX_HEADER_BYTES)
        .setHttp2ClearTextEnabled(false)
        .setPerFrameWebSocketCompressionSupported(false) // there are no web sockets
        .setPerMessageWebSocketCompressionSupported(false)
        .setReuseAddress(true)
        .setTcpNoDelay(true);
    this.limits = limits;
    this.metrics = metrics;
    endpoints.forEach(endpoint -> this.endpoints.put(endpoint.path(), endpoint));
    this.unknown = new Endpoint(
        "other",
        HttpMethod.POST,
        (call, body) -> call.fail(Problem.unknownRoute("There is no such route.")),
        metrics.route("other"));
    endpoints.forEach(endpoint -> wrongMethod.computeIfAbsent(endpoint.method(), this::refusing));
  }

  private Endpoint refusing(HttpMethod right) {
    return new Endpoint(
        "other",
        right,
        (call, body) -> {
          call.addHeader("Allow", right.name());
          call.fail(Problem.wrongMethod(right.name()));
        },
        metrics.route("other"));
  }

  /** Begins to listen. */
  public Future<Void> start(int eventLoops) {
    return vertx
        .deployVerticle(() -> new EventLoop(this), new DeploymentOptions().setInstances(eventLoops))
        .onSuccess(id -> deployment = id)
        .mapEmpty();
  }

  /** Where it listens: the one that was asked for, or if that was 0, the one that was given. */
  public int port() {
    return port;
  }

  /** Whether {@link #start} has opened the port. */
  public boolean isListening() {
    return !deployment.isEmpty();
  }

  /**
   * Shows another certificate to new connections; open ones are not affected.
   *
   * @param certificate the certificate and its key
   * @return fails if the server does not listen or cannot use them
   */
  public Future<Void> replaceCertificate(KeyCertOptions certificate) {
    HttpServer any = listener; // all event loops share one set of TLS options
    return any == null
        ? Future.failedFuture("the server does not listen")
        : any.updateSSLOptions(options.getSslOptions().copy().setKeyCertOptions(certificate))
            .mapEmpty();
  }

  /** From now on, every answer asks its client to come back over another connection. */
  public void stopping() {
    stopping = true;
  }

  /**
   * Closes the port, then answers the requests of the connections that were opened just before,
   * then closes all connections. Completes when everything under way was answered, or when the time
   * is over. Vert.x by itself would close the port last, and drop without an answer what comes
   * meanwhile.
   */
  public Future<Void> stop(Duration timeout) {
    stopping = true;
    stopTimeout = timeout;
    return closePort().compose(closed -> settle()).compose(settled -> vertx.undeploy(deployment));
  }

  private Future<Void> closePort() {
    Channel open = acceptor;
    if (open == null) {
      return Future.succeededFuture(); // there was never a connection
    }
    Promise<Void> closed = Promise.promise();
    open.close().addListener(done -> closed.complete());
    return closed.future();
  }

  /** Waits for the first request of each connection that has not sent one, for a bounded time. */
  private Future<Void> settle() {
    Promise<Void> settled = Promise.promise();
    long beganNanos = System.nanoTime();
    vertx.setPeriodic(SETTLE_INTERVAL.toMillis(), timer -> {
      long nanos = System.nanoTime() - beganNanos;
      if (nanos > LONGEST_SETTLE.toNanos()
          || unused.get() == 0 && nanos > SHORTEST_SETTLE.toNanos()) {
        vertx.cancelTimer(timer);
        settled.complete();
      }
    });
    return settled.future();
  }

  /** Who answers this request. */
  Endpoint endpoint(HttpServerRequest request) {
    Endpoint endpoint = endpoints.get(request.path());
    if (endpoint == null) {
      return unknown;
    }
    return endpoint.method().equals(request.method())
        ? endpoint
        : wrongMethod.get(endpoint.method());
  }

  void listening(HttpServer server) {
    port = server.actualPort();
    listener = server;
  }

  /** Counts a connection, unless there are too many. */
  boolean admit(Channel channel) {
    acceptor = channel.parent();
    if (connections.incrementAndGet() <= limits.maxConnections()) {
      unused.incrementAndGet();
      return true;
    }
    connections.decrementAndGet();
    return false;
  }

  /** A connection has sent its first request, or was closed without one. */
  void used() {
    unused.decrementAndGet();
  }

  void left() {
    connections.decrementAndGet();
  }

  /** Any port, if none is given; the same one for all event loops. */
  SocketAddress address() {
    return options.getPort() == 0
        ? SocketAddress.sharedRandomPort(1, options.getHost())
        : SocketAddress.inetSocketAddress(options.getPort(), options.getHost());
  }

  HttpServerOptions options() {
    return options;
  }

  Limits limits() {
    return limits;
  }

  BodyBudget bodies() {
    return bodies;
  }

  HttpMetrics metrics() {
    return metrics;
  }

  Duration stopTimeout() {
    return stopTimeout;
  }

  boolean isStopping() {
    return stopping;
  }
}
