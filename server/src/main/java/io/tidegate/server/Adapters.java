package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.catalog.Catalog;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.server.config.CatalogConfig;
import io.tidegate.server.config.GatewayConfig;
import io.tidegate.server.config.ListenConfig;
import io.tidegate.server.config.RegionConfig;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.observe.Health;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates the parts of a node from its settings. It is the only class that names the adapters, so
 * another adapter is a line here.
 */
final class Adapters {

  /** Vert.x's default of 100 would make Envoy open more connections than it has workers. */
  private static final int MAX_GATEWAY_STREAMS = 1_000;

  /**
   * Envoy resets a call that exceeds its timeout, and one whose client has disconnected. After
   * Vert.x's default of 200 resets within 30 seconds, all calls of the connection would fail.
   */
  private static final int MAX_GATEWAY_RESETS = Integer.MAX_VALUE;

  private Adapters() {}

  /**
   * The name of this process among the writers of its region: the name of the node and 64 random
   * bits, because each start is another writer.
   */
  static String process(ServerConfig config) {
    UUID random = UUID.randomUUID();
    return config.region().node() + "-"
        + Long.toUnsignedString(
            random.getMostSignificantBits() ^ random.getLeastSignificantBits(), 36);
  }

  /**
   * Creates the limiter, with the origin and the global counters that are configured.
   *
   * @param process the name of this process
   */
  static RateLimiter limiter(
      ServerConfig config,
      String process,
      InstantSource clock,
      LimiterObserver observer,
      Health health) {
    RegionConfig region = config.region();
    RateLimiterBuilder builder = RateLimiter.builder()
        .clock(clock)
        .maxSeries(config.resources().maxSeries())
        .observer(observer)
        .region(region.name())
        .node(process);
    if (config.testClock()) {
      // Requests have any time, so no series can expire; maxSeries still bounds them.
      builder.scheduler((interval, work) -> () -> {});
    }
    origin(region).map(health::watch).ifPresent(builder::origin);
    globalCounters(config)
        .map(health::watch)
        .ifPresent(counters ->
            builder.globalCounters(counters).pushPolicy(config.globalCounters().pushPolicy()));
    return builder.build();
  }

  private static Optional<RegionalOrigin> origin(RegionConfig region) {
    if (!region.hasOrigin()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          region.redisCluster()
              ? RedisOrigin.connectCluster(region.redisUris().toArray(String[]::new))
              : RedisOrigin.connect(region.redisUris().get(0)));
    } catch (IllegalArgumentException e) {
      throw new ServerException("redis-uri is invalid: " + RootCause.message(e), e);
    }
  }

  private static Optional<GlobalCounters> globalCounters(ServerConfig config) {
    CatalogConfig database = config.catalog();
    if (database.jdbcUrl() == null) {
      return Optional.empty();
    }
    JdbcGlobalCounters.Builder builder =
        JdbcGlobalCounters.builder(database.jdbcUrl()).migrate(database.migrate());
    if (database.user() != null) {
      builder.credentials(database.user(), database.password() == null ? "" : database.password());
    }
    if (!config.globalCounters().cleanup()) {
      builder.withoutCleanup();
    }
    return Optional.of(builder.connect());
  }

  /** Opens the catalog. */
  static Catalog catalog(CatalogConfig config) {
    try {
      return Catalog.open(config.url(), config.user(), config.password(), config.migrate());
    } catch (IllegalArgumentException e) {
      throw new ServerException(RootCause.message(e), e);
    }
  }

  /** Starts the event loops. */
  static Vertx vertx(ServerConfig config) {
    return Vertx.vertx(new VertxOptions()
        .setEventLoopPoolSize(config.resources().eventLoops())
        .setPreferNativeTransport(true)
        .setFileSystemOptions(new FileSystemOptions()
            .setFileCachingEnabled(false)
            .setClassPathResolvingEnabled(false)));
  }

  /** The options of the public port, with TLS if there are credentials. */
  static HttpServerOptions httpOptions(
      ListenConfig.Address address, @Nullable TlsCredentials credentials) {
    return options(address, credentials).setHttp2ClearTextEnabled(false);
  }

  /**
   * The options of the gateway port. Envoy sends all requests of a worker over one connection, so
   * each has room for more requests at once than that of an ordinary client.
   */
  static HttpServerOptions gatewayOptions(
      GatewayConfig config, @Nullable TlsCredentials credentials) {
    HttpServerOptions options = options(config.address(), credentials)
        .setHttp2ClearTextEnabled(true)
        .setHttp2RstFloodMaxRstFramePerWindow(MAX_GATEWAY_RESETS);
    options.getInitialSettings().setMaxConcurrentStreams(MAX_GATEWAY_STREAMS);
    if (config.clientCa() != null) {
      options
          .setClientAuth(ClientAuth.REQUIRED)
          .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(config.clientCa())));
    }
    return options;
  }

  private static HttpServerOptions options(
      ListenConfig.Address address, @Nullable TlsCredentials credentials) {
    HttpServerOptions options =
        new HttpServerOptions().setHost(address.host()).setPort(address.port());
    if (credentials != null) {
      options.setSsl(true).setUseAlpn(true).setKeyCertOptions(keyCertOptions(credentials));
    }
    return options;
  }

  static KeyCertOptions keyCertOptions(TlsCredentials credentials) {
    return new PemKeyCertOptions()
        .addCertValue(Buffer.buffer(credentials.certificate()))
        .addKeyValue(Buffer.buffer(credentials.key()));
  }
}
