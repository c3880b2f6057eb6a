package io.tidegate.server;

import io.tidegate.RateLimiter;
import io.tidegate.catalog.Catalog;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.server.config.CatalogConfig;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.TlsCredentials;
import io.tidegate.server.observe.Health;
import io.tidegate.spi.LimiterObserver;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a node is made of, as its settings want it: the one place that knows every adapter. */
final class Adapters {

  private Adapters() {}

  /** What decides, alone or with others. */
  static RateLimiter limiter(
      ServerConfig config, InstantSource clock, LimiterObserver observer, Health health) {
    RateLimiter.Builder builder = RateLimiter.builder()
        .clock(clock)
        .maxSeries(config.maxSeries())
        .observer(observer)
        .region(config.region())
        .node(config.node() + "-" + UUID.randomUUID()); // one name for each life
    if (config.testClock()) {
      // Series are used at any time, so none is ever past; maxSeries still bounds them.
      builder.scheduler((interval, work) -> () -> {});
    }
    if (config.redisCluster()) {
      builder.origin(
          health.watch(RedisOrigin.connectCluster(config.redisUris().toArray(String[]::new))));
    } else if (!config.redisUris().isEmpty()) {
      builder.origin(health.watch(RedisOrigin.connect(config.redisUris().get(0))));
    }
    if (config.catalog().jdbcUrl() != null) {
      builder.globalCounters(health.watch(globalCounters(config))).pushPolicy(config.pushPolicy());
    }
    return builder.build();
  }

  private static JdbcGlobalCounters globalCounters(ServerConfig config) {
    CatalogConfig database = config.catalog();
    JdbcGlobalCounters.Builder builder =
        JdbcGlobalCounters.builder(database.jdbcUrl()).migrate(database.migrate());
    if (database.user() != null) {
      builder.credentials(database.user(), database.password() == null ? "" : database.password());
    }
    if (!config.cleanup()) {
      builder.withoutCleanup();
    }
    return builder.connect();
  }

  /** What says who may ask for what. */
  static Catalog catalog(CatalogConfig config) {
    try {
      return Catalog.open(config.url(), config.user(), config.password(), config.migrate());
    } catch (IllegalArgumentException e) {
      throw new ServerException(e.getMessage(), e);
    }
  }

  /** What runs the event loops. */
  static Vertx vertx(ServerConfig config) {
    return Vertx.vertx(new VertxOptions()
        .setEventLoopPoolSize(config.eventLoops())
        .setPreferNativeTransport(true)
        .setFileSystemOptions(new FileSystemOptions()
            .setFileCachingEnabled(false)
            .setClassPathResolvingEnabled(false)));
  }

  /** Where and how the public port listens, with these credentials if it has TLS. */
  static HttpServerOptions httpOptions(ServerConfig config, @Nullable TlsCredentials credentials) {
    HttpServerOptions options =
        new HttpServerOptions().setHost(config.httpHost()).setPort(config.httpPort());
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
