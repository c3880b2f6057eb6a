package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.activity.Activity;
import io.tidegate.server.api.Api;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.config.GatewayConfig;
import io.tidegate.server.config.ListenConfig;
import io.tidegate.server.config.ResourceConfig;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.config.Version;
import io.tidegate.server.console.Console;
import io.tidegate.server.console.ConsoleAccess;
import io.tidegate.server.console.ConsoleState;
import io.tidegate.server.fleet.Fleet;
import io.tidegate.server.fleet.NodeStatus;
import io.tidegate.server.gateway.Gateway;
import io.tidegate.server.http.HttpListener;
import io.tidegate.server.log.Log;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.observe.AdminServer;
import io.tidegate.server.observe.Health;
import io.tidegate.server.observe.Metrics;
import io.tidegate.server.rules.CurrentRules;
import io.tidegate.server.service.InspectionService;
import io.tidegate.server.service.LimitService;
import io.tidegate.server.service.OverrideService;
import io.tidegate.server.service.RuleService;
import io.tidegate.spi.LimiterObserver;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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
  private final HttpListener publicListener;

  /** Null if the gateway port is not configured. */
  private final @Nullable HttpListener gatewayListener;

  private final CatalogReads catalogReads;
  private final @Nullable CertificateReload certificate;

  /** Null if the node has no rule files. */
  private final @Nullable CurrentRules ruleFiles;

  /** Completed by the first call of {@link #stop}; ends a start that still waits. */
  private final CompletableFuture<Void> stopRequested = new CompletableFuture<>();

  /** Null if the console is switched off. The same holds for {@link #console}. */
  private final @Nullable Fleet fleet;

  private final @Nullable Console console;

  private @Nullable AdminServer adminServer;

  /** Creates a node that does not run yet: see {@link #run}. */
  Server(ServerConfig config, Consumer<NewRootKey> firstKey) {
    this.listen = config.listen();
    this.resources = config.resources();
    HeapCheck.warnIfSmall(
        resources.maxSeries(),
        config.region().hasOrigin() || config.hasGlobalCounters(),
        Runtime.getRuntime().maxMemory());
    InstantSource clock = InstantSource.system();
    this.health = new Health(clock);
    this.ruleFiles = config.rules() == null ? null : loadRules(config.rules(), health);
    this.metrics =
        new Metrics(Version.TEXT, config.region().name(), config.region().node(), health);
    this.catalogReads = new CatalogReads(config.catalog(), health, firstKey);
    Catalog storedCatalog = Adapters.catalog(config.catalog());
    this.catalog = new CatalogFollower(storedCatalog, config.firstRootKey(), catalogReads);
    String process = Adapters.process(config);
    Activity activity = new Activity(clock, Metrics.INTERNAL_WORKSPACE);
    LimiterObserver observer =
        listen.console() ? metrics.limiter().andThen(activity) : metrics.limiter();
    this.limiter = Adapters.limiter(config, process, clock, observer, health);
    metrics.bind(limiter::stats);
    this.vertx = Adapters.vertx(config);
    LimitService limits =
        new LimitService(limiter, catalog, this::rules, config.log().denials());
    OverrideService overrides = new OverrideService(limiter, catalog);
    Api api = config.testClock()
        ? Api.withTestClock(limits, overrides, clock)
        : Api.of(limits, overrides, clock);
    if (listen.console()) {
      NodeStatus status = new NodeStatus(
          config.region().name(), process, Version.TEXT, clock.millis(), health, metrics, activity);
      this.fleet =
          new Fleet(config.hasGlobalCounters() ? storedCatalog.nodeReports() : null, status);
      this.console = console(status, fleet, activity, limits, overrides, clock);
    } else {
      this.fleet = null;
      this.console = null;
    }
    TlsCredentials credentials = listen.tls() == null ? null : TlsCredentials.read(listen.tls());
    this.publicListener = new HttpListener(
        vertx,
        Adapters.httpOptions(listen.http(), credentials),
        limits(),
        api.endpoints(listen.basePath(), metrics.http()),
        HttpListener::rejectUnknown,
        metrics.http());
    this.gatewayListener = listen.gateway() == null
        ? null
        : gatewayListener(listen.gateway(), credentials, config.log().denials(), clock);
    this.certificate = credentials == null ? null : new CertificateReload(credentials, listeners());
  }

  private Console console(
      NodeStatus status,
      Fleet fleet,
      Activity activity,
      LimitService limits,
      OverrideService overrides,
      InstantSource clock) {
    InspectionService inspections = new InspectionService(limiter, catalog, this::rules, activity);
    ConsoleAccess access = new ConsoleAccess(listen.admin().host(), listen.adminToken());
    if (!access.isOpen()) {
      Log.info("the console is off, because other machines can reach admin-host; set admin-token");
    }
    return new Console(
        vertx,
        access,
        new ConsoleState(fleet, activity, metrics, inspections, clock),
        status.identity(),
        inspections,
        limits,
        overrides,
        clock);
  }

  private HttpListener.Limits limits() {
    return new HttpListener.Limits(
        resources.maxBodyBytes(),
        resources.maxConnections(),
        resources.requestTimeout(),
        resources.idleTimeout());
  }

  private HttpListener gatewayListener(
      GatewayConfig config,
      @Nullable TlsCredentials credentials,
      LogDenials denials,
      InstantSource clock) {
    RuleService service = new RuleService(
        limiter, catalog, this::rules, config.shadowMode(), denials, metrics.rules(), clock);
    Gateway gateway = new Gateway(
        service,
        health::isReady,
        config.secret(),
        config.headers(),
        config.metadata(),
        metrics.gateway());
    return new HttpListener(
        vertx,
        Adapters.gatewayOptions(config, credentials),
        limits(),
        gateway.endpoints(metrics.http()),
        gateway::rejectUnknown,
        metrics.http());
  }

  /** The ports for clients. */
  private List<HttpListener> listeners() {
    return gatewayListener == null
        ? List.of(publicListener)
        : List.of(publicListener, gatewayListener);
  }

  private static CurrentRules loadRules(Path directory, Health health) {
    try {
      return CurrentRules.load(directory, new RuleLoads(health.rules()));
    } catch (RuleException e) {
      throw new ServerException("the rule files have errors: " + e.errors().get(0), e);
    }
  }

  /** The rules at this moment; none if the node has no rule files. */
  RuleSet rules() {
    return ruleFiles == null ? RuleSet.EMPTY : ruleFiles.current();
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
   * Opens the ports. Returns early, without those for clients, if {@link #stop} is called
   * meanwhile.
   *
   * @throws ServerException if a port cannot be opened, or the file of the catalog
   */
  synchronized void run() {
    try {
      Ports.checkFree("http", listen.http());
      if (listen.gateway() != null) {
        Ports.checkFree("gateway", listen.gateway().address());
      }
      openAdminPort();
      catalog.start();
      catalogReads.awaitFirst(stopRequested);
      if (!isStopping()) {
        openClientPorts();
      }
    } catch (ServerException e) {
      close();
      throw e;
    }
  }

  private void openAdminPort() {
    ListenConfig.Address admin = listen.admin();
    adminServer = Ports.await(
        "admin",
        admin,
        AdminServer.start(
            vertx,
            admin.host(),
            admin.port(),
            metrics,
            health,
            console == null ? null : console::handle));
  }

  private void openClientPorts() {
    Ports.await("http", listen.http(), publicListener.start(resources.eventLoops()));
    if (gatewayListener != null && listen.gateway() != null) {
      Ports.await(
          "gateway", listen.gateway().address(), gatewayListener.start(resources.eventLoops()));
    }
    catalogReads.listening();
    if (fleet != null) {
      fleet.start();
    }
    if (certificate != null) {
      certificate.start();
    }
    if (ruleFiles != null) {
      ruleFiles.start();
    }
  }

  /** The port of the API. */
  public int httpPort() {
    return publicListener.port();
  }

  /** The port for gateways; only if it is configured. */
  public int gatewayPort() {
    return Objects.requireNonNull(gatewayListener).port();
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
   * Stops the node: reports not ready while it still answers, closes the ports for clients, flushes
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
    List<HttpListener> open =
        listeners().stream().filter(HttpListener::isListening).toList();
    if (!open.isEmpty()) {
      open.forEach(HttpListener::stopping);
      pause(resources.stopDelay());
      attempt("close the ports for clients", () -> {
        Duration timeout = resources.stopTimeout();
        Await.result(
            Future.join(open.stream().map(listener -> listener.stop(timeout)).toList()),
            timeout.plus(Await.TIMEOUT));
      });
    }
    close();
  }

  /** Reloads what can change while the node runs: the certificate and the rules. */
  void reload() {
    if (certificate == null && ruleFiles == null) {
      Log.info("SIGHUP: nothing to reload");
    }
    if (certificate != null && publicListener.isListening()) {
      certificate.reload();
    }
    if (ruleFiles != null) {
      ruleFiles.reload();
    }
  }

  /**
   * Closes all parts but the ports for clients. The limiter comes first, because it flushes counts.
   */
  private void close() {
    if (certificate != null) {
      attempt("stop watching the certificate", certificate::close);
    }
    if (ruleFiles != null) {
      attempt("stop watching the rule files", ruleFiles::close);
    }
    attempt("close the limiter", limiter::close);
    if (fleet != null) {
      attempt("stop reporting to the fleet", fleet::close);
    }
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
