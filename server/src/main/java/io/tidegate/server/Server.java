package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.config.Version;
import io.tidegate.server.http.PublicServer;
import io.tidegate.server.log.Log;
import io.tidegate.server.observe.AdminServer;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node that runs: puts all parts together, and takes them apart in the right order. */
public final class Server {

  /** How long anything of ours may take to begin or to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ServerConfig config;
  private final Vertx vertx;
  private final Health health;
  private final Metrics metrics;
  private final RateLimiter limiter;
  private final CatalogFollower catalog;
  private final PublicServer publicServer;
  private final CatalogReads catalogReads;
  private final @Nullable CertificateReload certificate;

  /** Completed by the first call of {@link #stop}; ends a start that still waits. */
  private final CompletableFuture<Void> stopRequested = new CompletableFuture<>();

  private @Nullable AdminServer adminServer;

  /** A node that does not run yet: see {@link #run}. */
  Server(ServerConfig config, Consumer<NewRootKey> firstKey) {
    this.config = config;
    InstantSource clock = InstantSource.system();
    this.health =
        new Health(clock, !config.redisUris().isEmpty(), config.catalog().jdbcUrl() != null);
    this.metrics = new Metrics(Version.TEXT, config.region(), config.node(), health);
    this.catalogReads = new CatalogReads(config.catalog(), health, firstKey);
    this.catalog = new CatalogFollower(
        Adapters.catalog(config.catalog()), config.firstRootKey(), catalogReads);
    this.limiter = Adapters.limiter(config, clock, metrics.limiter(), health);
    metrics.limiter().bind(limiter::stats);
    this.vertx = Adapters.vertx(config);
    LimitService limits = new LimitService(limiter, catalog, config.logDenials());
    OverrideService overrides = new OverrideService(limiter, catalog);
    Api api = config.testClock()
        ? Api.withTestClock(limits, overrides, clock)
        : Api.of(limits, overrides, clock);
    TlsCredentials credentials = config.tlsCertificate() == null
        ? null
        : TlsCredentials.read(config.tlsCertificate(), config.tlsKey());
    this.publicServer = new PublicServer(
        vertx,
        Adapters.httpOptions(config, credentials),
        new PublicServer.Limits(
            config.maxBodyBytes(),
            config.maxConnections(),
            config.requestTimeout(),
            config.idleTimeout()),
        api.endpoints(config.basePath(), metrics.http()),
        metrics.http());
    this.certificate = credentials == null
        ? null
        : new CertificateReload(
            config.tlsCertificate(), config.tlsKey(), credentials, publicServer);
  }

  /**
   * Starts a node and returns when it listens. The node listens once it has read its catalog. If
   * the catalog is in a database that does not answer, the node listens after a few seconds and
   * answers 503 until the catalog is read.
   *
   * @param config all settings
   * @param firstKey receives the first root key, if the catalog was empty
   * @return the node
   * @throws ServerException if the node cannot be started, with the reason
   */
  public static Server start(ServerConfig config, Consumer<NewRootKey> firstKey) {
    Server server = new Server(config, firstKey);
    server.run();
    return server;
  }

  /**
   * Opens the ports. Returns early, without the public port, if {@link #stop} is called meanwhile.
   *
   * @throws ServerException if that is impossible, with the reason
   */
  synchronized void run() {
    try {
      checkFree(config.httpHost(), config.httpPort());
      adminServer = listen(
          "admin",
          config.adminHost(),
          config.adminPort(),
          AdminServer.start(vertx, config.adminHost(), config.adminPort(), metrics, health));
      catalog.start();
      catalogReads.awaitFirst(stopRequested);
      if (!isStopping()) {
        listen(
            "http", config.httpHost(), config.httpPort(), publicServer.start(config.eventLoops()));
        catalogReads.listening();
        if (certificate != null) {
          certificate.start();
        }
      }
    } catch (ServerException e) {
      close();
      throw e;
    }
  }

  /**
   * Fails if the public port is taken. It is opened after the catalog was read, and reading an
   * empty catalog creates a key: a start that is bound to fail must not do that.
   */
  private static void checkFree(String host, int port) {
    try (Socket probe = new Socket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port)); // without listening: no client notices
    } catch (IOException e) {
      throw cannotListen("http", host, port, e);
    }
  }

  /** Of a failure to connect, the pool itself says only that it waited. */
  static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  private static <T> T listen(String setting, String host, int port, Future<T> listening) {
    try {
      return await(listening);
    } catch (ServerException e) {
      throw cannotListen(setting, host, port, e);
    }
  }

  private static ServerException cannotListen(
      String setting, String host, int port, Exception reason) {
    return new ServerException(
        "cannot listen on %s:%d, as %s-host and %s-port say: %s"
            .formatted(host, port, setting, setting, reason.getMessage()),
        reason);
  }

  static <T> T await(Future<T> future) {
    return await(future, PATIENCE);
  }

  private static <T> T await(Future<T> future, Duration patience) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new ServerException(e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new ServerException("it took longer than " + patience.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** Where clients are answered. */
  public int httpPort() {
    return publicServer.port();
  }

  /** Where metrics and health are. */
  public int adminPort() {
    return Objects.requireNonNull(adminServer).port();
  }

  /** Whether {@link #stop} was called. */
  boolean isStopping() {
    return stopRequested.isDone();
  }

  /** Whether it has read its catalog and takes requests. */
  public boolean isReady() {
    return health.isReady();
  }

  /**
   * Stops the node: reports that it is not ready while it still answers, then closes its port, then
   * sends the counts that others have not received. A node that is still starting stops at once.
   */
  public void stop() {
    stopRequested.complete(null);
    stopStarted();
  }

  private synchronized void stopStarted() {
    Log.info("stopping");
    health.stopping();
    if (publicServer.isListening()) {
      publicServer.stopping();
      pause(config.stopDelay());
      finish(() ->
          await(publicServer.stop(config.stopTimeout()), config.stopTimeout().plus(PATIENCE)));
    }
    close();
  }

  /** Reads again what can change while the node runs: the certificate of the public port. */
  void reload() {
    if (certificate == null) {
      Log.info("SIGHUP: nothing to reload");
    } else if (publicServer.isListening()) {
      certificate.reload();
    }
  }

  private void close() {
    if (certificate != null) {
      finish(certificate::close);
    }
    finish(limiter::close);
    finish(catalog::close);
    finish(metrics::close);
    finish(() -> await(vertx.close()));
  }

  /** What does not end as it should keeps nothing else from ending. */
  private static void finish(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      Log.error("a part of the node did not end as it should", e);
    }
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then without a pause
    }
  }
}
