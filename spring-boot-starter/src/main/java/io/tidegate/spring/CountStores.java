package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.jdbc.JdbcGlobalCounters;
import io.tidegate.redis.RedisOrigin;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.RegionalOrigin;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * The places where the limiter keeps counts: the memory of this process, a Redis for the processes
 * of a region, a database for several regions.
 *
 * <p>Never shows a URI or URL as a whole, since it may contain a password.
 */
final class CountStores {

  private static final Log LOG = LogFactory.getLog(CountStores.class);

  private static final String REDIS_URI = TidegateProperties.PREFIX + ".redis-uri";
  private static final String JDBC_URL = TidegateProperties.PREFIX + ".jdbc-url";

  private final @Nullable RegionalOrigin origin;
  private final @Nullable GlobalCounters counters;
  private final String description;
  private final ConnectionHealth health;

  private CountStores(
      @Nullable RegionalOrigin origin,
      @Nullable GlobalCounters counters,
      String description,
      InstantSource clock) {
    this.origin = origin;
    this.counters = counters;
    this.description = description;
    this.health = new ConnectionHealth(origin != null, counters != null, clock);
  }

  /**
   * Connects to the stores that are configured. They may be unavailable.
   *
   * @param origin a bean of the application, which replaces the Redis of the properties
   * @param counters a bean of the application, which replaces the database of the properties
   * @throws TidegateConfigurationException if a URI, a URL or the region is wrong
   */
  static CountStores connect(
      TidegateProperties properties,
      @Nullable RegionalOrigin origin,
      @Nullable GlobalCounters counters,
      InstantSource clock) {
    if (!properties.enabled()) {
      return new CountStores(null, null, "in the memory of this process", clock);
    }
    String redisUri = properties.redisUri();
    String jdbcUrl = properties.jdbcUrl();
    checkRegion(properties.region(), counters != null || jdbcUrl != null);
    List<String> places = new ArrayList<>();
    RegionalOrigin usedOrigin = origin;
    GlobalCounters usedCounters = counters;
    if (origin != null) {
      places.add("the bean " + origin.getClass().getSimpleName());
    } else if (redisUri != null) {
      usedOrigin = connectRedis(redisUri, properties.redisCluster());
      places.add(usedOrigin.toString());
    } else if (properties.redisCluster()) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + ".redis-cluster",
          "true",
          "A Redis Cluster needs the address of one of its nodes.",
          "Set " + REDIS_URI + ", or remove this property.");
    }
    if (counters != null) {
      places.add("the bean " + counters.getClass().getSimpleName());
    } else if (jdbcUrl != null) {
      usedCounters = connectDatabase(jdbcUrl, usedOrigin);
      places.add(usedCounters.toString());
    }
    return new CountStores(usedOrigin, usedCounters, describe(places, properties.region()), clock);
  }

  private static String describe(List<String> places, @Nullable String region) {
    if (places.isEmpty()) {
      return "in the memory of this process only; set " + REDIS_URI + " to share them";
    }
    return "shared through " + String.join(" and ", places)
        + (region == null ? "" : " (region " + region + ")");
  }

  private static void checkRegion(@Nullable String region, boolean required) {
    String property = TidegateProperties.PREFIX + ".region";
    String action = "Set a name that no other region has, such as eu-west-1.";
    if (required && region == null) {
      throw new TidegateConfigurationException(
          property, null, "Regions that share counts need names.", action);
    }
    if (region != null && !StringUtils.hasText(region)) {
      throw new TidegateConfigurationException(
          property, region, "The name of a region must not be blank.", action);
    }
  }

  private static RegionalOrigin connectRedis(String uri, boolean cluster) {
    requireClass("io.tidegate.redis.RedisOrigin", "tidegate-redis", REDIS_URI);
    try {
      return cluster
          ? RedisOrigin.connectCluster(StringUtils.tokenizeToStringArray(uri, ","))
          : RedisOrigin.connect(uri.strip());
    } catch (IllegalArgumentException e) {
      throw new TidegateConfigurationException(
          REDIS_URI,
          null,
          "The value is " + e.getMessage() + ".",
          "Correct the URI. Percent-encode special characters of the password. The value is not shown, because it may contain one.");
    }
  }

  private static GlobalCounters connectDatabase(String url, @Nullable RegionalOrigin origin) {
    requireClass("io.tidegate.jdbc.JdbcGlobalCounters", "tidegate-jdbc", JDBC_URL);
    try {
      return JdbcGlobalCounters.connect(url.strip());
    } catch (IllegalArgumentException e) {
      if (origin != null) {
        origin.close();
      }
      throw new TidegateConfigurationException(
          JDBC_URL,
          null,
          "The value is not usable: " + e.getMessage() + ".",
          "Write it as jdbc:mariadb://host:3306/database?user=tidegate&password=..., for MySQL too, or add the driver of another URL.");
    }
  }

  private static void requireClass(String name, String artifact, String property) {
    if (!ClassUtils.isPresent(name, CountStores.class.getClassLoader())) {
      throw new TidegateConfigurationException(
          property,
          null,
          "The artifact " + artifact + " is not on the class path.",
          "Add io.tidegate:" + artifact + ", which the starter has unless it is excluded.");
    }
  }

  /** Builds the limiter, which closes the stores. */
  RateLimiter build(
      RateLimiterBuilder builder, TidegateProperties properties, List<LimiterObserver> observers) {
    if (properties.maxSeries() < 1) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + ".max-series",
          Integer.toString(properties.maxSeries()),
          "The number of counts in memory must be at least 1.",
          "Set a greater number, or remove the property for 1000000.");
    }
    builder.maxSeries(properties.maxSeries());
    set("region", properties.region(), builder::region);
    // Each start is another writer: a node takes all counts under its name for its own.
    set("node", properties.node(), node -> builder.node(node + "-" + UUID.randomUUID()));
    List<LimiterObserver> all = new ArrayList<>(observers);
    if (origin != null) {
      builder.origin(origin);
    }
    if (counters != null) {
      builder.globalCounters(counters);
    }
    if (isShared()) {
      all.add(health);
    }
    builder.observer(all.stream().reduce(LimiterObserver.NONE, LimiterObserver::andThen));
    LOG.info("Counts are " + description + ".");
    return build(builder, properties.region());
  }

  private static void set(
      String name, @Nullable String value, java.util.function.Consumer<String> setter) {
    if (value == null) {
      return;
    }
    try {
      setter.accept(value);
    } catch (IllegalArgumentException e) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + "." + name,
          value,
          "Invalid: " + e.getMessage() + ".",
          "Use a shorter name.");
    }
  }

  /** The limiter rejects names of regions that a database cannot store. */
  private static RateLimiter build(RateLimiterBuilder builder, @Nullable String region) {
    try {
      return builder.build();
    } catch (IllegalStateException e) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + ".region",
          region,
          "Invalid: " + e.getMessage() + ".",
          "Use another name.");
    }
  }

  boolean isShared() {
    return origin != null || counters != null;
  }

  /** Completes the sentence "Counts are ...", without credentials. */
  String description() {
    return description;
  }

  ConnectionHealth health() {
    return health;
  }
}
