package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.catalog.Catalog;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.server.config.CatalogConfig;
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
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates the parts of a node from its settings. It is the only class that names the adapters, so
 * another adapter is a line here.
 */
final class Adapters {

  private Adapters() {}

  /** Creates the limiter, with the origin and the global counters that are configured. */
  static RateLimiter limiter(
      ServerConfig config, InstantSource clock, LimiterObserver observer, Health health) {
    RegionConfig region = config.region();
    RateLimiterBuilder builder = RateLimiter.builder()
        .clock(clock)
        .maxSeries(config.resources().maxSeries())
        .observer(observer)
        .region(region.name())
        .node(region.node() + "-" + UUID.randomUUID()); // each start is another writer
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
