package io.tidegate.server.config;

import io.tidegate.spi.PushPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All settings of the server, with their defaults and help texts. {@code HTTP_PORT} is the flag
 * {@code --http-port}, the environment variable {@code TIDEGATE_HTTP_PORT} and the key
 * {@code http-port} of the file.
 */
enum Setting {
  REGION(
      Topic.REGION,
      "NAME",
      "default",
      "Region of this node: the same for all nodes that share a Redis, different for each region that shares a database."),
  NODE(Topic.REGION, "NAME", "Name of this node, for metrics and logs.", new NoDefault("random")),
  REDIS_URI(Topic.REGION, "URI[,URI...]", """
      Redis shared by the nodes of the region:
      redis://user:password@host:6379, or rediss:// for TLS;
      redis-sentinel://host1:26379,host2:26379/0#mymaster for Redis Sentinel.""", new NoDefault("none; the node counts alone")),
  REDIS_CLUSTER(Topic.REGION, null, "false", "Treat --redis-uri as nodes of a Redis Cluster."),

  CONFIG(
      Topic.CATALOG,
      "FILE",
      "YAML file of settings, one per line, such as 'http-port: 8080'. Flags and environment variables take precedence.",
      new NoDefault("none")),
  DATA(
      Topic.CATALOG,
      "DIRECTORY",
      "tidegate-data",
      "Directory of the catalog file, which is used without --jdbc-url."),
  JDBC_URL(Topic.CATALOG, "URL", """
      MySQL or MariaDB database of all regions, for the catalog and the global counters:
      jdbc:mariadb://host:3306/database. A server also needs --region.""", new NoDefault("none; the catalog is a local file")),
  JDBC_USER(
      Topic.CATALOG, "NAME", "Database user, unless the URL contains it.", new NoDefault("none")),
  JDBC_PASSWORD(
      Topic.CATALOG,
      "PASSWORD",
      "Database password. Other users can see flags: prefer the environment or the file.",
      new NoDefault("none")),
  JDBC_MIGRATE(
      Topic.CATALOG,
      null,
      "true",
      "Create and update the database tables. If false, they must exist."),

  FIRST_ROOT_KEY(
      Topic.ACCESS,
      "KEY",
      "Root key with all permissions, created if the catalog does not contain it: 20 to 200 characters that cannot be guessed."
          + " Other users can see flags: prefer the environment or a file.",
      new NoDefault("none; an empty catalog gets a random key, which is printed")),
  FIRST_ROOT_KEY_FILE(
      Topic.ACCESS,
      "FILE",
      "File with the first root key on a single line.",
      new NoDefault("none")),

  PUSH_POLICY(
      Topic.GLOBAL_COUNTERS,
      "POLICY",
      "adaptive",
      "Counts to push to other regions: adaptive, or floor:0.5 for series that have used half of their limit in this region."
          + " Use the same policy on all nodes."),
  PUSH_INTERVAL(
      Topic.GLOBAL_COUNTERS,
      "TIME",
      "Interval of pushes and pulls.",
      new NoDefault(Durations.show(PushPolicy.adaptive().interval()) + ", or 10s with floor")),
  CLEANUP(
      Topic.GLOBAL_COUNTERS,
      null,
      "true",
      "Delete expired rows of the global counters every ten minutes. 'tidegate cleanup' does the same on demand."),

  RULES(
      Topic.RULES,
      "DIRECTORY",
      "Directory of rule files *.yaml, which name the limits of gateways and of callers that send none."
          + " Changes take effect within about a second.",
      new NoDefault("none; no rules")),

  HTTP_HOST(Topic.LISTEN, "HOST", "0.0.0.0", "Listen address of the API."),
  HTTP_PORT(Topic.LISTEN, "PORT", "8080", "Port of the API; 0 for any free port."),
  BASE_PATH(
      Topic.LISTEN,
      "PATH",
      "Prefix of all paths, such as /limits, for a proxy that does not strip it.",
      new NoDefault("none")),
  ADMIN_HOST(
      Topic.LISTEN,
      "HOST",
      "127.0.0.1",
      "Listen address of health, metrics and the console. On one that other machines can reach, the console needs --admin-token."),
  ADMIN_PORT(
      Topic.LISTEN,
      "PORT",
      "8081",
      "Port of health, metrics and the console; 0 for any free port."),
  ADMIN_TOKEN(
      Topic.LISTEN,
      "SECRET",
      "Secret that users of the console enter: 20 to 200 characters that cannot be guessed."
          + " Other users can see flags: prefer the environment or the file.",
      new NoDefault("none")),
  CONSOLE(
      Topic.LISTEN,
      null,
      "true",
      "Serve the console on the admin port, and follow the busiest identifiers for it."),
  TLS_CERTIFICATE(
      Topic.LISTEN,
      "FILE",
      "Certificate of the API in PEM, followed by its intermediate certificates. Needs --tls-key.",
      new NoDefault("none; no TLS")),
  TLS_KEY(
      Topic.LISTEN,
      "FILE",
      "Private key of the certificate in PEM: RSA or EC, not encrypted.",
      new NoDefault("none")),

  GATEWAY_PORT(
      Topic.GATEWAY,
      "PORT",
      "Port of Envoy's rate limit service and of forward auth; 0 for any free port. Uses TLS if --tls-certificate is set.",
      new NoDefault("none; the port is not opened")),
  GATEWAY_HOST(
      Topic.GATEWAY,
      "HOST",
      "127.0.0.1",
      "Listen address of the gateway port. One that other machines can reach needs --gateway-secret, --gateway-client-ca or --gateway-open."),
  GATEWAY_SECRET(
      Topic.GATEWAY,
      "SECRET",
      "Secret that every call of a gateway must carry: 20 to 200 characters that cannot be guessed."
          + " Other users can see flags: prefer the environment or the file.",
      new NoDefault("none")),
  GATEWAY_CLIENT_CA(
      Topic.GATEWAY,
      "FILE",
      "Certificate authorities in PEM. Gateways must present a certificate of one of them (mTLS). Needs --tls-certificate.",
      new NoDefault("none")),
  GATEWAY_OPEN(
      Topic.GATEWAY,
      null,
      "false",
      "Accept calls of every client that can connect to the gateway port."),
  GATEWAY_HEADERS(
      Topic.GATEWAY,
      "CHOICE",
      "off",
      "Rate limit fields that Envoy adds to responses: off, draft-11 (RateLimit and RateLimit-Policy) or draft-06 (RateLimit-Limit, -Remaining and -Reset)."),
  GATEWAY_METADATA(
      Topic.GATEWAY,
      null,
      "false",
      "Send the descriptors and the metadata of their rules to Envoy as dynamic metadata."),
  SHADOW_MODE(
      Topic.GATEWAY,
      null,
      "false",
      "Evaluate and count all rules, but let every request of a gateway through."),

  MAX_SERIES(
      Topic.RESOURCES,
      "N",
      "1000000",
      "Maximum series in memory, of about 142 bytes each, or 254 with --redis-uri or --jdbc-url; the lowest counts are evicted first."),
  MAX_BODY_BYTES(Topic.RESOURCES, "N", "10485760", "Maximum size of a request body."),
  MAX_CONNECTIONS(Topic.RESOURCES, "N", "10000", "Maximum client connections."),
  REQUEST_TIMEOUT(Topic.RESOURCES, "TIME", "60s", "Maximum duration of a request."),
  IDLE_TIMEOUT(
      Topic.RESOURCES,
      "TIME",
      "75s",
      "Time until an idle connection is closed; longer than the idle timeout of the load balancer, which is often 60s."),
  STOP_DELAY(
      Topic.RESOURCES,
      "TIME",
      "1s",
      "Time for which a stopping node is not ready but still accepts requests, so that load balancers notice."),
  STOP_TIMEOUT(
      Topic.RESOURCES, "TIME", "10s", "Maximum time to finish open requests after --stop-delay."),
  EVENT_LOOPS(
      Topic.RESOURCES, "N", "Threads that serve requests.", new NoDefault("one per processor")),

  LOG_FORMAT(Topic.LOG, "FORMAT", "text", "Format of the log on standard error: text or json."),
  LOG_LEVEL(Topic.LOG, "LEVEL", "info", "Level of the log: error, warn, info or debug."),
  LOG_DENIALS(
      Topic.LOG,
      "CHOICE",
      "off",
      "Denials to log at level info, with identifier and counts: off, or sampled for at most 10 per second."),
  TEST_CLOCK(
      Topic.LOG,
      null,
      "false",
      "Let clients set the time of a request. For tests only: clients can bypass every limit.");

  /** Groups of settings, in the order of the help. */
  enum Topic {
    REGION("Region and Redis:"),
    CATALOG("Catalog and database:"),
    ACCESS("First root key:"),
    GLOBAL_COUNTERS("Exchange with other regions, with --jdbc-url:"),
    RULES("Rules:"),
    LISTEN("Addresses:"),
    GATEWAY("Gateways, with --gateway-port:"),
    RESOURCES("Limits and timeouts (times such as 500ms, 60s, 5m, 1h):"),
    LOG("Logging and testing:");

    private final String heading;

    Topic(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  /** Behavior of a setting that has no value by default, as the help describes it. */
  private record NoDefault(String description) {}

  static final String ENVIRONMENT_PREFIX = "TIDEGATE_";

  private final Topic topic;
  private final @Nullable String label;
  private final @Nullable String defaultValue;
  private final String description;

  /** A setting with a default; a switch has no label. */
  Setting(Topic topic, @Nullable String label, String defaultValue, String description) {
    this.topic = topic;
    this.label = label;
    this.defaultValue = defaultValue;
    this.description = description + sources(defaultValue);
  }

  /** A setting without a default. */
  Setting(Topic topic, String label, String description, NoDefault without) {
    this.topic = topic;
    this.label = label;
    this.defaultValue = null;
    this.description = description + sources(without.description);
  }

  private String sources(String defaultDescription) {
    return "\nDefault: " + defaultDescription + ". Environment: " + environmentName();
  }

  Topic topic() {
    return topic;
  }

  boolean isSwitch() {
    return label == null;
  }

  String label() {
    return label == null ? "true|false" : label;
  }

  Optional<String> defaultValue() {
    return Optional.ofNullable(defaultValue);
  }

  /** The lines of the help text, with the default and the environment variable. */
  String[] help() {
    return description.split("\n");
  }

  /** The name in the file and in messages. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String flag() {
    return "--" + key();
  }

  String environmentName() {
    return ENVIRONMENT_PREFIX + name();
  }

  /** Returns the value as messages may show it. */
  String show(String value) {
    return switch (this) {
      case JDBC_PASSWORD, FIRST_ROOT_KEY, GATEWAY_SECRET, ADMIN_TOKEN -> "***";
      case JDBC_URL, REDIS_URI -> SafeText.url(value);
      default -> SafeText.text(value);
    };
  }

  static Optional<Setting> ofKey(String key) {
    return Arrays.stream(values()).filter(setting -> setting.key().equals(key)).findFirst();
  }

  static Optional<Setting> ofEnvironmentName(String name) {
    return Arrays.stream(values())
        .filter(setting -> setting.environmentName().equals(name))
        .findFirst();
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(Setting::key).toList();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Setting::name).toList();
  }

  static List<Setting> of(Topic topic) {
    return Arrays.stream(values()).filter(setting -> setting.topic == topic).toList();
  }
}
