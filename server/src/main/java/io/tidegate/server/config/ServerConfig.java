package io.tidegate.server.config;

import io.lettuce.core.RedisURI;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.spi.PushPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * All settings of a server, which fit together.
 *
 * @param region the fleet that this node belongs to
 * @param node the name of this node
 * @param redisUris the Redis of the region, or some nodes of its cluster; empty if this node counts
 *     alone
 * @param redisCluster whether that is a Redis Cluster
 * @param catalog where the catalog is
 * @param firstRootKey a root key that the catalog must have; null for none
 * @param pushPolicy which counts are sent to other regions, and how often
 * @param cleanup whether this node deletes expired rows of the global counters
 * @param httpHost where the API listens
 * @param httpPort where the API listens; 0 for any free port
 * @param basePath what comes before the path of every route
 * @param adminHost where health and metrics are served
 * @param adminPort where health and metrics are served; 0 for any free port
 * @param tlsCertificate PEM file of the API; null if it has no TLS
 * @param tlsKey PEM file of the certificate's key; null if there is no certificate
 * @param maxSeries most series in memory
 * @param maxBodyBytes longest body of a request
 * @param maxConnections most connections of clients
 * @param requestTimeout how long a request may take
 * @param idleTimeout how long a connection may be silent
 * @param stopDelay how long a node that stops says it is not ready and still takes requests
 * @param stopTimeout how long it then may take to finish
 * @param eventLoops threads that serve requests
 * @param testClock whether clients may say what time it is
 * @param logFormat how a line of the log is written
 * @param logLevel how much is logged
 * @param logDenials which denials are logged
 * @param warnings what is allowed, and hardly meant
 * @param ignored environment variables with our prefix that Kubernetes has set
 */
public record ServerConfig(
    String region,
    String node,
    List<String> redisUris,
    boolean redisCluster,
    CatalogConfig catalog,
    @Nullable String firstRootKey,
    PushPolicy pushPolicy,
    boolean cleanup,
    String httpHost,
    int httpPort,
    String basePath,
    String adminHost,
    int adminPort,
    @Nullable Path tlsCertificate,
    @Nullable Path tlsKey,
    int maxSeries,
    int maxBodyBytes,
    int maxConnections,
    Duration requestTimeout,
    Duration idleTimeout,
    Duration stopDelay,
    Duration stopTimeout,
    int eventLoops,
    boolean testClock,
    LogFormat logFormat,
    LogLevel logLevel,
    LogDenials logDenials,
    List<String> warnings,
    List<String> ignored) {

  private static final int MAX_REGION_CHARACTERS = 48;

  /** A comma before the next URI; those between the hosts of a Sentinel URI are part of it. */
  private static final String URI_SEPARATOR = ",(?=\\s*[a-z-]*://|\\s*$)";

  /** So that what tells one life of a node from the next still fits. */
  private static final int MAX_NODE_CHARACTERS = 200;

  /** More threads than any machine has processors are a slip. */
  private static final int MAX_EVENT_LOOPS = 1_024;

  /** A body is held in memory, and copied once. */
  private static final int MAX_BODY_BYTES = 100 << 20;

  private static final Duration INSTANT = Duration.ofMillis(1);

  /** The bounds of {@link PushPolicy#checkInterval}. */
  private static final Duration SHORTEST_PUSH = Duration.ofMillis(100);

  private static final Duration LONGEST_PUSH = Duration.ofHours(1);

  /** A floor sends whatever has changed, so a second would write far more rows than adaptive. */
  private static final Duration FLOOR_INTERVAL = Duration.ofSeconds(10);

  /** Whoever waits longer than a day for a request or a stop waits for ever. */
  private static final Duration DAY = Duration.ofHours(24);

  /** Keeps its own copies. */
  public ServerConfig {
    redisUris = List.copyOf(redisUris);
    warnings = List.copyOf(warnings);
    ignored = List.copyOf(ignored);
  }

  /** Adds the flags to a command. */
  public static void declare(CommandSpec command) {
    Settings.declare(command, Setting.Topic.values());
  }

  /**
   * From flags alone: {@code ServerConfig.of("--http-port=0", "--data=" + directory)}.
   *
   * @throws ConfigException if they cannot be used
   */
  public static ServerConfig of(String... flags) {
    CommandSpec command = CommandSpec.create();
    declare(command);
    return read(new CommandLine(command).parseArgs(flags), Map.of());
  }

  /**
   * What was set, by flags, environment or file.
   *
   * @throws ConfigException if it cannot be used
   */
  public static ServerConfig read(ParseResult flags, Map<String, String> environment) {
    Settings settings = Settings.read(flags, environment);
    ServerConfig config = read(settings, Environment.ofKubernetes(environment));
    settings.throwProblems();
    return config;
  }

  private static ServerConfig read(Settings settings, List<String> ignored) {
    List<String> warnings = new ArrayList<>();
    CatalogConfig catalog = CatalogConfig.read(settings);
    List<String> redisUris = redisUris(settings);
    boolean testClock = settings.isOn(Setting.TEST_CLOCK);
    checkCluster(settings, redisUris);
    checkTls(settings, warnings);
    checkExchange(settings);
    if (settings.has(Setting.JDBC_URL) && !settings.has(Setting.REGION)) {
      settings.refuse(
          Setting.JDBC_URL, "needs region, the name of this region among those that share it");
    }
    if (testClock && (settings.has(Setting.REDIS_URI) || settings.has(Setting.JDBC_URL))) {
      settings.refuse(
          Setting.TEST_CLOCK,
          "is for a node by itself, and cannot be together with redis-uri or jdbc-url");
    }
    if (testClock) {
      warnings.add(
          "test-clock is on: whoever has a key says what time it is, and gets around every limit. Never use this where limits matter");
    }
    if (!redisUris.isEmpty() && catalog.jdbcUrl() == null) {
      warnings.add(
          "redis-uri is set and jdbc-url is not: the catalog is a file of this node alone, in "
              + catalog.data()
              + ", so other nodes on the same Redis have other workspaces");
    }
    if (settings.choice(Setting.LOG_DENIALS, LogDenials.class) != LogDenials.OFF
        && settings.choice(Setting.LOG_LEVEL, LogLevel.class).compareTo(LogLevel.INFO) < 0) {
      warnings.add("log-denials has no effect: denials are logged at info, and log-level is above");
    }
    ServerConfig config = new ServerConfig(
        name(settings, Setting.REGION, MAX_REGION_CHARACTERS).orElseThrow(),
        name(settings, Setting.NODE, MAX_NODE_CHARACTERS).orElseGet(ServerConfig::randomNode),
        redisUris,
        settings.isOn(Setting.REDIS_CLUSTER),
        catalog,
        firstRootKey(settings),
        pushPolicy(settings),
        settings.isOn(Setting.CLEANUP),
        settings.text(Setting.HTTP_HOST).orElseThrow(),
        port(settings, Setting.HTTP_PORT),
        basePath(settings),
        settings.text(Setting.ADMIN_HOST).orElseThrow(),
        port(settings, Setting.ADMIN_PORT),
        settings.path(Setting.TLS_CERTIFICATE).orElse(null),
        settings.path(Setting.TLS_KEY).orElse(null),
        settings.number(Setting.MAX_SERIES, 1, Integer.MAX_VALUE).orElseThrow(),
        settings.number(Setting.MAX_BODY_BYTES, 1, MAX_BODY_BYTES).orElseThrow(),
        settings.number(Setting.MAX_CONNECTIONS, 1, Integer.MAX_VALUE).orElseThrow(),
        settings.duration(Setting.REQUEST_TIMEOUT, INSTANT, DAY).orElseThrow(),
        settings.duration(Setting.IDLE_TIMEOUT, INSTANT, DAY).orElseThrow(),
        settings.duration(Setting.STOP_DELAY, Duration.ZERO, DAY).orElseThrow(),
        settings.duration(Setting.STOP_TIMEOUT, INSTANT, DAY).orElseThrow(),
        settings
            .number(Setting.EVENT_LOOPS, 1, MAX_EVENT_LOOPS)
            .orElseGet(() -> Runtime.getRuntime().availableProcessors()),
        testClock,
        settings.choice(Setting.LOG_FORMAT, LogFormat.class),
        settings.choice(Setting.LOG_LEVEL, LogLevel.class),
        settings.choice(Setting.LOG_DENIALS, LogDenials.class),
        warnings,
        ignored);
    checkPorts(settings, config);
    return config;
  }

  private static Optional<String> name(Settings settings, Setting setting, int most) {
    Optional<String> name = settings.text(setting);
    if (name.isPresent() && name.get().codePointCount(0, name.get().length()) > most) {
      settings.refuse(setting, "must have at most " + most + " characters");
    }
    return name;
  }

  private static String randomNode() {
    UUID random = UUID.randomUUID();
    return Long.toUnsignedString(
        random.getMostSignificantBits() ^ random.getLeastSignificantBits(), 36);
  }

  private static int port(Settings settings, Setting setting) {
    return settings.number(setting, 0, 65_535).orElseThrow();
  }

  private static String basePath(Settings settings) {
    String path = settings.text(Setting.BASE_PATH).orElse("");
    if (!path.matches("(/[A-Za-z0-9._~-]+)*")) {
      settings.refuse(Setting.BASE_PATH, "must be like /limits or /api/limits");
    }
    return path;
  }

  private static List<String> redisUris(Settings settings) {
    List<String> uris = settings.text(Setting.REDIS_URI).stream()
        .flatMap(text -> Arrays.stream(text.split(URI_SEPARATOR, -1)))
        .map(String::strip)
        .toList();
    if (!uris.stream().allMatch(ServerConfig::isRedisUri)) {
      settings.refuse(
          Setting.REDIS_URI,
          "must be such as redis://user:password@host:6379, each of them, or redis-sentinel://host1:26379,host2:26379/0#mymaster");
    }
    return uris;
  }

  private static boolean isRedisUri(String uri) {
    try {
      return uri.matches("rediss?://[^,]+") && RedisURI.create(uri).getHost() != null
          || isSentinel(uri) && RedisURI.create(uri).getSentinelMasterId() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isSentinel(String uri) {
    return uri.matches("rediss?-sentinel://.+");
  }

  private static void checkCluster(Settings settings, List<String> redisUris) {
    boolean cluster = settings.isOn(Setting.REDIS_CLUSTER);
    if (cluster && !settings.has(Setting.REDIS_URI)) {
      settings.refuse(Setting.REDIS_CLUSTER, "needs redis-uri, some nodes of the cluster");
    }
    if (!cluster && redisUris.size() > 1) {
      settings.refuse(Setting.REDIS_URI, "must be one URI, unless redis-cluster is on");
    }
    if (cluster && redisUris.stream().anyMatch(ServerConfig::isSentinel)) {
      settings.refuse(Setting.REDIS_URI, "must name nodes of the cluster, which has no Sentinel");
    }
  }

  private static void checkTls(Settings settings, List<String> warnings) {
    if (settings.has(Setting.TLS_CERTIFICATE) != settings.has(Setting.TLS_KEY)) {
      if (settings.has(Setting.TLS_KEY)) {
        settings.refuse(Setting.TLS_KEY, "needs tls-certificate");
      } else {
        settings.refuse(Setting.TLS_CERTIFICATE, "needs tls-key");
      }
    }
    settings.file(Setting.TLS_CERTIFICATE, ServerConfig::certificate).ifPresent(certificate -> {
      if (new Date().after(certificate.getNotAfter())) {
        warnings.add("tls-certificate ended on " + certificate.getNotAfter().toInstant());
      }
      settings.file(
          Setting.TLS_KEY, file -> TlsFiles.key(TlsCredentials.content(file), certificate));
    });
  }

  private static X509Certificate certificate(Path file) {
    return TlsFiles.certificate(TlsCredentials.content(file));
  }

  /** The key of the setting or of the file, of which one may be given. */
  private static @Nullable String firstRootKey(Settings settings) {
    if (settings.has(Setting.FIRST_ROOT_KEY) && settings.has(Setting.FIRST_ROOT_KEY_FILE)) {
      settings.refuse(
          Setting.FIRST_ROOT_KEY_FILE, "must not be given together with first-root-key");
    }
    return settings
        .value(Setting.FIRST_ROOT_KEY, key -> rootKey(key, "must be"))
        .or(() -> settings.file(Setting.FIRST_ROOT_KEY_FILE, ServerConfig::rootKeyIn))
        .orElse(null);
  }

  private static String rootKeyIn(Path file) {
    byte[] content = TlsCredentials.content(file);
    if (content == null) {
      throw new IllegalArgumentException("must be a file that can be read");
    }
    String text = new String(content, StandardCharsets.UTF_8);
    return rootKey(text.replaceFirst("\\R\\z", ""), "must be a file with a key of");
  }

  /** What fits into the Authorization header; a short key could be guessed. */
  private static String rootKey(String key, String must) {
    if (!key.matches("[A-Za-z0-9._~+/=-]{20,200}")) {
      throw new IllegalArgumentException(
          must + " 20 to 200 letters, digits or characters of . _ ~ + / = -");
    }
    return key;
  }

  private static PushPolicy pushPolicy(Settings settings) {
    Optional<Duration> interval =
        settings.duration(Setting.PUSH_INTERVAL, SHORTEST_PUSH, LONGEST_PUSH);
    return settings
        .value(Setting.PUSH_POLICY, text -> {
          if (text.equals("adaptive")) {
            return interval.map(PushPolicy::adaptive).orElseGet(PushPolicy::adaptive);
          }
          if (text.matches("floor:(0(\\.\\d{1,6})?|1(\\.0{1,6})?)")) {
            double fraction = Double.parseDouble(text.substring("floor:".length()));
            return PushPolicy.floor(fraction, interval.orElse(FLOOR_INTERVAL));
          }
          throw new IllegalArgumentException(
              "must be adaptive, or floor: and a fraction of the limit, such as floor:0.5");
        })
        .orElseThrow();
  }

  private static void checkExchange(Settings settings) {
    for (Setting setting : List.of(Setting.PUSH_POLICY, Setting.PUSH_INTERVAL, Setting.CLEANUP)) {
      if (settings.has(setting) && !settings.has(Setting.JDBC_URL)) {
        settings.refuse(setting, "needs jdbc-url");
      }
    }
  }

  /** An address that stands for all of them is the same host as each. */
  private static void checkPorts(Settings settings, ServerConfig config) {
    List<String> hosts = List.of(config.httpHost, config.adminHost);
    boolean sameHost = config.httpHost.equals(config.adminHost)
        || hosts.contains("0.0.0.0")
        || hosts.contains("::");
    if (sameHost && config.httpPort == config.adminPort && config.httpPort != 0) {
      settings.problem("http-port and admin-port must differ on the same host: both are "
          + config.httpPort
          + ", on "
          + Shown.text(config.httpHost)
          + " and "
          + Shown.text(config.adminHost));
    }
  }

  /** Without secrets. */
  @Override
  public String toString() {
    return "ServerConfig[region=" + region + ", node=" + node + ", redis="
        + redisUris.stream().map(Shown::url).toList() + ", catalog=" + catalog + ", http="
        + httpHost
        + ":" + httpPort + ", admin=" + adminHost + ":" + adminPort + "]";
  }
}
