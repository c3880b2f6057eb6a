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
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open port and its connections: event loops that pass requests to endpoints. A node has one for
 * the API and may have one for gateways.
 */
public final class HttpListener {

  /**
   * The limits on clients.
   *
   * @param maxBodyBytes the longest body of a request
   * @param maxConnections the connections of all clients together
   * @param requestTimeout the time from the headers of a request to its answer
   * @param idleTimeout the time from an answer to the next request
   */
  public record Limits(
      int maxBodyBytes, int maxConnections, Duration requestTimeout, Duration idleTimeout) {}

  /** The headers of a request together; known clients send less than 1 kB. */
  private static final int MAX_HEADER_BYTES = 16 << 10;

  /** Bodies being received may use one part of the heap in so many. */
  private static final int HEAP_PARTS = 8;

  /** Lets connections appear that the kernel has accepted and that are in their TLS handshake. */
  private static final Duration MIN_SETTLE = Duration.ofMillis(100);

  /**
   * Most clients send a request at once on a new connection. Connection pools that open some in
   * advance may never send one.
   */
  private static final Duration MAX_SETTLE = Duration.ofSeconds(1);

  private static final Duration SETTLE_INTERVAL = Duration.ofMillis(10);

  private static final AtomicInteger IDS = new AtomicInteger();

  /** Keeps apart listeners whose ports the system chooses: Vert.x merges those with the same id. */
  private final int id = IDS.incrementAndGet();

  private final Vertx vertx;
  private final HttpServerOptions options;
  private final Limits limits;
  private final HttpMetrics metrics;
  private final BodyBudget bodies = new BodyBudget(Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  private final Map<String, Endpoint> endpoints = new HashMap<>();
  private final Endpoint unknown;
  private final Map<HttpMethod, Endpoint> wrongMethod = new HashMap<>();
  private final AtomicInteger connections = new AtomicInteger();

  /** Connections that have not sent a request yet. */
  private final AtomicInteger unused = new AtomicInteger();

  /** The channel that accepts connections for all event loops; null before the first one. */
  private volatile @Nullable Channel acceptor;

  private volatile int port;
  private volatile @Nullable HttpServer listener;
  private volatile boolean stopping;
  private volatile Duration stopTimeout = Duration.ZERO;
  private volatile String deployment = "";

  /**
   * Creates a listener whose port is not open yet.
   *
   * @param vertx provides the event loops
   * @param options host, port, TLS and the versions of HTTP; limits in it are overwritten
   * @param limits the limits on clients
   * @param endpoints the handlers of all paths
   * @param unknown answers requests for any other path
   * @param metrics records connections and answers
   */
  public HttpListener(
      Vertx vertx,
      HttpServerOptions options,
      Limits limits,
      List<Endpoint> endpoints,
      Endpoint.Handler unknown,
      HttpMetrics metrics) {
    this.vertx = vertx;
    this.options = options
        .setMaxHeaderSize(MAX_HEADER_BYTES)
        .setPerFrameWebSocketCompressionSupported(false) // web sockets are not supported
        .setPerMessageWebSocketCompressionSupported(false)
        .setReuseAddress(true)
        .setTcpNoDelay(true);
    this.limits = limits;
    this.metrics = metrics;
    endpoints.forEach(endpoint -> this.endpoints.put(endpoint.path(), endpoint));
    this.unknown =
        new Endpoint("other", HttpMethod.POST, unknown, metrics.route("other")::answered);
    for (Endpoint endpoint : endpoints) {
      if (endpoint.method() != null) {
        wrongMethod.computeIfAbsent(endpoint.method(), this::rejectingOtherThan);
      }
    }
  }

  private Endpoint rejectingOtherThan(HttpMethod right) {
    return new Endpoint(
        "other",
        right,
        (exchange, body) -> {
          exchange.addHeader("Allow", right.name());
          exchange.fail(Problem.wrongMethod(right.name()));
        },
        metrics.route("other")::answered);
  }

  /** Answers 404. */
  public static void rejectUnknown(HttpExchange exchange, byte[] body) {
    exchange.fail(Problem.unknownRoute("There is no such route."));
  }

  /** Opens the port. */
  public Future<Void> start(int eventLoops) {
    return vertx
        .deployVerticle(() -> new EventLoop(this), new DeploymentOptions().setInstances(eventLoops))
        .onSuccess(id -> deployment = id)
        .mapEmpty();
  }

  /** The port: the configured one, or if that is 0, the one the system chose. */
  public int port() {
    return port;
  }

  /** Whether {@link #start} has opened the port. */
  public boolean isListening() {
    return !deployment.isEmpty();
  }

  /**
   * Uses another certificate for new connections; open ones are not affected.
   *
   * @param certificate the certificate and its key
   * @return fails if the port is not open or the certificate cannot be used
   */
  public Future<Void> replaceCertificate(KeyCertOptions certificate) {
    HttpServer any = listener; // all event loops share one set of TLS options
    return any == null
        ? Future.failedFuture("the port is not open")
        : any.updateSSLOptions(options.getSslOptions().copy().setKeyCertOptions(certificate))
            .mapEmpty();
  }

  /** Makes every further answer ask its client to open another connection. */
  public void stopping() {
    stopping = true;
  }

  /**
   * Closes the port, answers the requests of connections that were opened just before, then closes
   * all connections. Completes when all requests were answered or the timeout has passed. Vert.x by
   * itself would close the port last, and drop requests that arrive meanwhile without an answer.
   */
  public Future<Void> stop(Duration timeout) {
    stopping = true;
    stopTimeout = timeout;
    return closePort().compose(closed -> settle()).compose(settled -> vertx.undeploy(deployment));
  }

  private Future<Void> closePort() {
    Channel open = acceptor;
    if (open == null) {
      return Future.succeededFuture(); // no client has connected
    }
    Promise<Void> closed = Promise.promise();
    open.close().addListener(done -> closed.complete());
    return closed.future();
  }

  /** Waits until every connection has sent its first request, for a bounded time. */
  private Future<Void> settle() {
    Promise<Void> settled = Promise.promise();
    long beganNanos = System.nanoTime();
    vertx.setPeriodic(SETTLE_INTERVAL.toMillis(), timer -> {
      long nanos = System.nanoTime() - beganNanos;
      if (nanos > MAX_SETTLE.toNanos() || (unused.get() == 0 && nanos > MIN_SETTLE.toNanos())) {
        vertx.cancelTimer(timer);
        settled.complete();
      }
    });
    return settled.future();
  }

  /** The endpoint of a request, which may be one that rejects it. */
  Endpoint endpoint(HttpServerRequest request) {
    Endpoint endpoint = endpoints.get(request.path());
    if (endpoint == null) {
      return unknown;
    }
    HttpMethod accepted = endpoint.method();
    return accepted == null || accepted.equals(request.method())
        ? endpoint
        : Objects.requireNonNull(wrongMethod.get(accepted));
  }

  /**
   * Whether connections may begin with {@link PlainConnection}. Where clients may upgrade to HTTP/2
   * without TLS, Vert.x reports a connection only after it has read the head of a request.
   */
  boolean readsPlainRequests() {
    return options.isSsl() || !options.isHttp2ClearTextEnabled();
  }

  /** All endpoints by path. */
  Map<String, Endpoint> endpoints() {
    return endpoints;
  }

  void listening(HttpServer server) {
    port = server.actualPort();
    listener = server;
  }

  /** Counts a new connection; false if there are too many. */
  boolean admit(Channel channel) {
    acceptor = channel.parent();
    if (connections.incrementAndGet() <= limits.maxConnections()) {
      unused.incrementAndGet();
      return true;
    }
    connections.decrementAndGet();
    return false;
  }

  /** Called when a connection sends its first request, or is closed without one. */
  void firstRequest() {
    unused.decrementAndGet();
  }

  void disconnected() {
    connections.decrementAndGet();
  }

  /** The address; if the system chooses the port, the same one for all event loops. */
  SocketAddress address() {
    return options.getPort() == 0
        ? SocketAddress.sharedRandomPort(id, options.getHost())
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
