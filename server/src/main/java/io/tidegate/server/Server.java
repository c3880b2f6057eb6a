package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.http.PublicServer;
import io.tidegate.server.log.Log;
import io.tidegate.server.observe.AdminServer;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.logging.Logger;

/** A node that runs: puts all parts together, and takes them apart in the right order. */
public final class Server {

  static final String VERSION = version();

  private static final Logger LATE_CONNECTIONS =
      Logger.getLogger("io.netty.bootstrap.ServerBootstrap");

  /** How long anything of ours may take to begin or to end. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A little more than its pool waits, so that it can say what is wrong. */
  private static final Duration CATALOG_PATIENCE = Duration.ofSeconds(20);

  private final ServerConfig config;
  private final Vertx vertx;
  private final Health health;
  private final Metrics metrics;
  private final RateLimiter limiter;
  private final CatalogFollower catalog;
  private final PublicServer publicServer;
  private final CompletableFuture<Void> catalogRead = new CompletableFuture<>();
  private AdminServer adminServer;

  private Server(ServerConfig config, Consumer<NewRootKey> firstKey) {
    this.config = config;
    InstantSource clock = InstantSource.system();
    this.health =
        new Health(clock, !config.redisUris().isEmpty(), config.catalog().jdbcUrl() != null);
    this.metrics = new Metrics(VERSION, health);
    this.catalog =
        new CatalogFollower(Adapters.catalog(config.catalog()), new CatalogNews(firstKey));
    this.limiter = Adapters.limiter(config, clock, metrics.limiter());
    metrics.limiter().bind(limiter::stats);
    this.vertx = Adapters.vertx(config);
    Api api = new Api(limiter, catalog, clock, config.testClock());
    this.publicServer = new PublicServer(
        vertx,
        Adapters.httpOptions(config),
        new PublicServer.Limits(
            config.maxBodyBytes(),
            config.maxConnections(),
            config.requestTimeout(),
            config.idleTimeout()),
        api.endpoints(config.basePath(), metrics.http()),
        metrics.http());
  }

  /**
   * Starts a node, and returns when it answers. A catalog that is a database may be missing then:
   * the node is not ready before it has been read.
   *
   * @param config all settings
   * @param firstKey is given the first root key, if the catalog was empty
   * @return the node
   * @throws ServerException if it cannot be started, saying why
   */
  public static Server start(ServerConfig config, Consumer<NewRootKey> firstKey) {
    Server server = new Server(config, firstKey);
    try {
      listen(
          "http",
          config.httpHost(),
          config.httpPort(),
          server.publicServer.start(config.eventLoops()));
      server.adminServer = listen(
          "admin",
          config.adminHost(),
          config.adminPort(),
          AdminServer.start(
              server.vertx, config.adminHost(), config.adminPort(), server.metrics, server.health));
      server.catalog.start(); // last, for it may make a key that is shown once
      server.awaitCatalog();
      return server;
    } catch (ServerException e) {
      server.close();
      throw e;
    }
  }

  /** A file is there or will never be; a database may come later. */
  private void awaitCatalog() {
    try {
      catalogRead.get(CATALOG_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      if (config.catalog().jdbcUrl() == null) {
        throw new ServerException(
            "the catalog in " + config.catalog() + " cannot be opened: " + reason(e), e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** Of a failure to connect, the pool itself says only that it waited. */
  private static String reason(Throwable failure) {
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
      throw new ServerException(
          "cannot listen on %s:%d, as %s-host and %s-port say: %s"
              .formatted(host, port, setting, setting, e.getMessage()),
          e);
    }
  }

  private static <T> T await(Future<T> future) {
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
    return adminServer.port();
  }

  /** Whether it has read its catalog and takes requests. */
  public boolean isReady() {
    return health.isReady();
  }

  /**
   * Ends the node: first says that it is not ready and still answers, then takes no more, then
   * tells others what it has counted.
   */
  public void stop() {
    Log.info("stopping");
    health.stopping();
    publicServer.stopping();
    pause(config.stopDelay());
    // It would tell of every connection that comes while the port is being closed.
    LATE_CONNECTIONS.setLevel(java.util.logging.Level.OFF);
    finish(() ->
        await(publicServer.stop(config.stopTimeout()), config.stopTimeout().plus(PATIENCE)));
    close();
  }

  private void close() {
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

  private static String version() {
    String version = Server.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }

  /** Hears how reading the catalog goes. */
  private final class CatalogNews implements CatalogFollower.Listener {

    private final Consumer<NewRootKey> firstKey;

    /** Of the thread that reads. */
    private boolean failed;

    CatalogNews(Consumer<NewRootKey> firstKey) {
      this.firstKey = firstKey;
    }

    @Override
    public void catalogRead(long version) {
      if (failed) {
        failed = false;
        Log.info("the catalog can be read again");
      }
      health.catalogRead(version);
      catalogRead.complete(null);
    }

    @Override
    public void catalogFailed(Throwable failure) {
      if (!failed) {
        failed = true;
        Log.warn(
            "the catalog cannot be read; what is known of it holds until it can",
            "reason",
            reason(failure));
      }
      health.catalogFailed(failure instanceof SQLTransientException ? "timeout" : "other");
      catalogRead.completeExceptionally(failure);
    }

    @Override
    public void firstKeyMade(NewRootKey key) {
      firstKey.accept(key);
    }
  }
}
