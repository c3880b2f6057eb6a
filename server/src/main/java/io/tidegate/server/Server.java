package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.ListenConfig;
import io.tidegate.server.config.ResourceConfig;
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
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node: creates its parts, starts them, and stops them in the opposite order.
 *
 * <p>{@link #run} and the stop exclude each other. {@link #stop} may be called by any thread while
 * {@link #run} waits, and ends the wait.
 */
public final class Server {

  private final ListenConfig listen;
  private final ResourceConfig resources;
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

  /** Creates a node that does not run yet: see {@link #run}. */
  Server(ServerConfig config, Consumer<NewRootKey> firstKey) {
    this.listen = config.listen();
    this.resources = config.resources();
    InstantSource clock = InstantSource.system();
    this.health = new Health(clock);
    this.metrics =
        new Metrics(Version.TEXT, config.region().name(), config.region().node(), health);
    this.catalogReads = new CatalogReads(config.catalog(), health, firstKey);
    this.catalog = new CatalogFollower(
        Adapters.catalog(config.catalog()), config.firstRootKey(), catalogReads);
    this.limiter = Adapters.limiter(config, clock, metrics.limiter(), health);
    metrics.limiter().bind(limiter::stats);
    this.vertx = Adapters.vertx(config);
    LimitService limits = new LimitService(limiter, catalog, config.log().denials());
    OverrideService overrides = new OverrideService(limiter, catalog);
    Api api = config.testClock()
        ? Api.withTestClock(limits, overrides, clock)
        : Api.of(limits, overrides, clock);
    TlsCredentials credentials = listen.tls() == null ? null : TlsCredentials.read(listen.tls());
    this.publicServer = new PublicServer(
        vertx,
        Adapters.httpOptions(listen.http(), credentials),
        new PublicServer.Limits(
            resources.maxBodyBytes(),
            resources.maxConnections(),
            resources.requestTimeout(),
            resources.idleTimeout()),
        api.endpoints(listen.basePath(), metrics.http()),
        metrics.http());
    this.certificate =
        credentials == null ? null : new CertificateReload(credentials, publicServer);
  }

  /**
   * Starts a node and returns when it listens. The node listens when it has read its catalog. If
   * the catalog is in a database that does not answer, the node listens after a few seconds and
   * answers 503 until the catalog is read.
   *
   * @param config all settings
   * @param firstKey receives the first root key, if the catalog was empty
   * @return the node
   * @throws ServerException if the node cannot start, with the reason
   */
  public static Server start(ServerConfig config, Consumer<NewRootKey> firstKey) {
    Server server = new Server(config, firstKey);
    server.run();
    return server;
  }

  /**
   * Opens the ports. Returns early, without the public port, if {@link #stop} is called meanwhile.
   *
   * @throws ServerException if a port cannot be opened, or the file of the catalog
   */
  synchronized void run() {
    try {
      Ports.checkFree("http", listen.http());
      openAdminPort();
      catalog.start();
      catalogReads.awaitFirst(stopRequested);
      if (!isStopping()) {
        openPublicPort();
      }
    } catch (ServerException e) {
      close();
      throw e;
    }
  }

  private void openAdminPort() {
    ListenConfig.Address admin = listen.admin();
    adminServer = Ports.await(
        "admin", admin, AdminServer.start(vertx, admin.host(), admin.port(), metrics, health));
  }

  private void openPublicPort() {
    Ports.await("http", listen.http(), publicServer.start(resources.eventLoops()));
    catalogReads.listening();
    if (certificate != null) {
      certificate.start();
    }
  }

  /** The port of the API. */
  public int httpPort() {
    return publicServer.port();
  }

  /** The port of health and metrics. */
  public int adminPort() {
    return Objects.requireNonNull(adminServer).port();
  }

  /** Whether {@link #stop} was called. */
  boolean isStopping() {
    return stopRequested.isDone();
  }

  /** Whether the node has read its catalog and accepts requests. */
  public boolean isReady() {
    return health.isReady();
  }

  /**
   * Stops the node: reports not ready while it still answers, closes the public port, flushes
   * pending counts, and closes everything else. A node that is still starting stops without a
   * delay.
   */
  public void stop() {
    stopRequested.complete(null);
    drainAndClose();
  }

  private synchronized void drainAndClose() {
    Log.info("stopping");
    health.stopping();
    if (publicServer.isListening()) {
      publicServer.stopping();
      pause(resources.stopDelay());
      attempt("close the public port", () -> {
        Duration timeout = resources.stopTimeout();
        Await.result(publicServer.stop(timeout), timeout.plus(Await.TIMEOUT));
      });
    }
    close();
  }

  /** Reloads what can change while the node runs: the certificate of the public port. */
  void reload() {
    if (certificate == null) {
      Log.info("SIGHUP: nothing to reload");
    } else if (publicServer.isListening()) {
      certificate.reload();
    }
  }

  /** Closes all parts but the public port. The limiter comes first, because it flushes counts. */
  private void close() {
    if (certificate != null) {
      attempt("stop watching the certificate", certificate::close);
    }
    attempt("close the limiter", limiter::close);
    attempt("close the catalog", catalog::close);
    attempt("close the metrics", metrics::close);
    attempt("close the event loops", () -> Await.result(vertx.close()));
  }

  /** Runs a step of the shutdown. A failure must not prevent the steps after it. */
  private static void attempt(String step, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      Log.error("shutdown step failed; continuing with the next", e, "step", step);
    }
  }

  /** Sleeps, or returns at once if the thread is interrupted. */
  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
