package io.tidegate.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can be set: {@code HTTP_PORT} is the flag {@code --http-port}, the environment
 * variable {@code TIDEGATE_HTTP_PORT} and the key {@code http-port} of the file.
 */
enum Setting {
  CONFIG(
      Topic.CATALOG,
      "FILE",
      null,
      "A YAML file of settings, such as 'http-port: 8080'. Flags and the environment come first. Default: none."),
  JDBC_URL(
      Topic.CATALOG,
      "URL",
      null,
      "The MySQL or MariaDB that all nodes of all regions share: jdbc:mariadb://host:3306/database. Needs --region."
          + " Default: none; the catalog is then a file of this node."),
  JDBC_USER(Topic.CATALOG, "NAME", null, "Who connects, if the URL does not say. Default: none."),
  JDBC_PASSWORD(
      Topic.CATALOG,
      "PASSWORD",
      null,
      "The user's password. Others can see the flags of a process: better the environment or the file. Default: none."),
  JDBC_MIGRATE(
      Topic.CATALOG,
      null,
      "true",
      "Whether to make the tables that are missing; if not, somebody else has to."),
  DATA(
      Topic.CATALOG,
      "DIRECTORY",
      "tidegate-data",
      "Where the catalog is kept if there is no --jdbc-url."),

  REGION(
      Topic.PLACE,
      "NAME",
      "default",
      "The region of this node, of at most 48 characters. All nodes that share a Redis have the same."),
  NODE(
      Topic.PLACE,
      "NAME",
      null,
      "The name of this node, which no other has, and none has had before. Default: a random one."),
  REDIS_URI(
      Topic.PLACE,
      "URI[,URI...]",
      null,
      "The Redis that the nodes of this region share: redis://user:password@host:6379, or rediss:// with TLS."
          + " Default: none; this node counts alone."),
  REDIS_CLUSTER(
      Topic.PLACE,
      null,
      "false",
      "Whether that is a Redis Cluster, of which some nodes are named."),

  HTTP_HOST(Topic.HTTP, "HOST", "0.0.0.0", "The address on which the API listens."),
  HTTP_PORT(Topic.HTTP, "PORT", "8080", "The port of the API; 0 takes any that is free."),
  ADMIN_HOST(
      Topic.HTTP, "HOST", "127.0.0.1", "The address on which health and metrics are served."),
  ADMIN_PORT(
      Topic.HTTP, "PORT", "8081", "The port of health and metrics; 0 takes any that is free."),
  TLS_CERTIFICATE(
      Topic.HTTP,
      "FILE",
      null,
      "The certificate of the API in PEM, and those that it rests on after it. Needs --tls-key. Default: none, no TLS."),
  TLS_KEY(
      Topic.HTTP,
      "FILE",
      null,
      "The private key of the certificate in PEM: RSA or EC, not encrypted. Default: none."),

  MAX_SERIES(
      Topic.BOUNDS,
      "N",
      "1000000",
      "Most series in memory, of some 300 bytes each; beyond it, those that know least are forgotten."),
  MAX_BODY_BYTES(
      Topic.BOUNDS, "N", "10485760", "Longest body of a request; a longer one is answered 413."),
  MAX_CONNECTIONS(
      Topic.BOUNDS, "N", "10000", "Most connections of clients; more are closed at once."),
  REQUEST_TIMEOUT(
      Topic.BOUNDS, "TIME", "60s", "How long a request may take before it is answered 408."),
  IDLE_TIMEOUT(
      Topic.BOUNDS, "TIME", "60s", "How long a connection may be silent before it is closed."),
  STOP_DELAY(
      Topic.BOUNDS,
      "TIME",
      "1s",
      "How long a node that stops says that it is not ready and still takes requests, for balancers to notice."),
  STOP_TIMEOUT(
      Topic.BOUNDS,
      "TIME",
      "10s",
      "How long it then may take to finish what it has, and to tell others what it counted."),
  EVENT_LOOPS(
      Topic.BOUNDS, "N", null, "Threads that serve requests. Default: one for each processor."),

  LOG_FORMAT(
      Topic.LOG,
      "text|json",
      "text",
      "How a line of the log is written, on the standard error output."),
  LOG_LEVEL(Topic.LOG, "LEVEL", "info", "How much is logged: error, warn, info or debug."),
  TEST_CLOCK(
      Topic.LOG,
      null,
      "false",
      "Whether clients may say what time it is. For tests only: whoever has a key gets around every limit.");

  /** What settings are about, in the order of the help. */
  enum Topic {
    PLACE("Where this node is, and with whom it counts:"),
    CATALOG("Where workspaces, keys, namespaces and overrides are:"),
    HTTP("Where it listens:"),
    BOUNDS("What it may use (times are such as 500ms, 60s, 5m, 1h):"),
    LOG("Logging and testing:");

    private final String heading;

    Topic(String heading) {
      this.heading = heading;
    }

    String heading() {
      return heading;
    }
  }

  private static final String ENVIRONMENT_PREFIX = "TIDEGATE_";

  private final Topic topic;
  private final @Nullable String label;
  private final @Nullable String standard;
  private final String description;

  /**
   * @param label what the help calls the value; null for a switch
   * @param standard the value if nobody sets one; null if the description says what happens then
   */
  Setting(Topic topic, @Nullable String label, @Nullable String standard, String description) {
    this.topic = topic;
    this.label = label;
    this.standard = standard;
    this.description = description;
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

  Optional<String> standard() {
    return Optional.ofNullable(standard);
  }

  /** What the help says of it, with its default and its environment variable. */
  String help() {
    return description
        + (standard == null ? "" : " Default: " + standard + ".")
        + " ["
        + environmentName()
        + "]";
  }

  /** Its name in the file and in messages. */
  String key() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String flag() {
    return "--" + key();
  }

  String environmentName() {
    return ENVIRONMENT_PREFIX + name();
  }

  /** What a message may show of its value. */
  String show(String value) {
    return switch (this) {
      case JDBC_PASSWORD -> "***";
      case JDBC_URL, REDIS_URI -> Shown.url(value);
      default -> Shown.text(value);
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

  static List<String> environmentNames() {
    return Arrays.stream(values()).map(Setting::environmentName).toList();
  }

  static List<Setting> of(Topic topic) {
    return Arrays.stream(values()).filter(setting -> setting.topic == topic).toList();
  }
}
