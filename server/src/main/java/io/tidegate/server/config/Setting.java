package io.tidegate.server.config;

import io.tidegate.spi.PushPolicy;
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
  REGION(
      Topic.PLACE,
      "NAME",
      "default",
      "The region of this node. All nodes that share a Redis have the same; regions that share a database have different ones."),
  NODE(
      Topic.PLACE,
      "NAME",
      "The name of this node among those of its region.",
      new Otherwise("a random one")),
  REDIS_URI(
      Topic.PLACE,
      "URI[,URI...]",
      "The Redis that the nodes of this region share:\n"
          + "redis://user:password@host:6379, or rediss:// with TLS;\n"
          + "redis-sentinel://host1:26379,host2:26379/0#mymaster with Redis Sentinel.",
      new Otherwise("none, this node counts alone")),
  REDIS_CLUSTER(
      Topic.PLACE,
      null,
      "false",
      "Whether that is a Redis Cluster, of which some nodes are named."),

  CONFIG(
      Topic.CATALOG,
      "FILE",
      "A YAML file of settings, such as 'http-port: 8080' on a line. Flags and the environment come before it.",
      new Otherwise("none")),
  DATA(
      Topic.CATALOG,
      "DIRECTORY",
      "tidegate-data",
      "Where the catalog is kept if there is no --jdbc-url."),
  JDBC_URL(
      Topic.CATALOG,
      "URL",
      "The MySQL or MariaDB that all nodes of all regions share, for the catalog and the counts:\n"
          + "jdbc:mariadb://host:3306/database. A server needs --region too.",
      new Otherwise("none, the catalog is a file of this node")),
  JDBC_USER(Topic.CATALOG, "NAME", "Who connects, if the URL does not say.", new Otherwise("none")),
  JDBC_PASSWORD(
      Topic.CATALOG,
      "PASSWORD",
      "The user's password. Others can see the flags of a process: better the environment or the file.",
      new Otherwise("none")),
  JDBC_MIGRATE(
      Topic.CATALOG,
      null,
      "true",
      "Whether to make tables that are missing; if not, somebody else has to."),

  FIRST_ROOT_KEY(
      Topic.ACCESS,
      "KEY",
      "A root key with all permissions, which is created if the catalog does not have it: 20 to 200 characters that cannot be guessed."
          + " Others can see the flags of a process: better the environment or a file.",
      new Otherwise("none; an empty catalog gets a random key, which is printed")),
  FIRST_ROOT_KEY_FILE(
      Topic.ACCESS, "FILE", "A file with that key on a single line.", new Otherwise("none")),

  PUSH_POLICY(
      Topic.EXCHANGE,
      "POLICY",
      "adaptive",
      "Which counts are sent to other regions: adaptive, or floor:0.5 for series that have used half of their limit in this region."
          + " All nodes of all regions should have the same."),
  PUSH_INTERVAL(
      Topic.EXCHANGE,
      "TIME",
      "How often counts are exchanged with other regions.",
      new Otherwise(Durations.show(PushPolicy.adaptive().interval()) + ", or 10s with floor")),
  CLEANUP(
      Topic.EXCHANGE,
      null,
      "true",
      "Whether this node deletes expired rows of the database every ten minutes; 'tidegate cleanup' does the same on demand."),

  HTTP_HOST(Topic.HTTP, "HOST", "0.0.0.0", "The address on which the API listens."),
  HTTP_PORT(Topic.HTTP, "PORT", "8080", "The port of the API; 0 takes any that is free."),
  BASE_PATH(
      Topic.HTTP,
      "PATH",
      "What comes before the path of every route, such as /limits, for a proxy that does not take it away.",
      new Otherwise("nothing")),
  ADMIN_HOST(Topic.HTTP, "HOST", "127.0.0.1", "The address of health and metrics."),
  ADMIN_PORT(
      Topic.HTTP, "PORT", "8081", "The port of health and metrics; 0 takes any that is free."),
  TLS_CERTIFICATE(
      Topic.HTTP,
      "FILE",
      "The certificate of the API in PEM, followed by those that it rests on. Needs --tls-key.",
      new Otherwise("none, no TLS")),
  TLS_KEY(
      Topic.HTTP,
      "FILE",
      "The private key of the certificate in PEM: RSA or EC, not encrypted.",
      new Otherwise("none")),

  MAX_SERIES(
      Topic.BOUNDS,
      "N",
      "1000000",
      "Most series in memory, of some 300 bytes each; beyond it, those that know least are forgotten."),
  MAX_BODY_BYTES(Topic.BOUNDS, "N", "10485760", "Longest body of a request."),
  MAX_CONNECTIONS(Topic.BOUNDS, "N", "10000", "Most connections of clients."),
  REQUEST_TIMEOUT(Topic.BOUNDS, "TIME", "60s", "How long a request may take."),
  IDLE_TIMEOUT(
      Topic.BOUNDS,
      "TIME",
      "75s",
      "How long a connection may be silent before it is closed. Longer than load balancers keep theirs, which is 60s for most."),
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
      Topic.BOUNDS, "N", "Threads that serve requests.", new Otherwise("one for each processor")),

  LOG_FORMAT(
      Topic.LOG,
      "FORMAT",
      "text",
      "How a line of the log is written, on the standard error output: text or json."),
  LOG_LEVEL(Topic.LOG, "LEVEL", "info", "How much is logged: error, warn, info or debug."),
  LOG_DENIALS(
      Topic.LOG,
      "CHOICE",
      "off",
      "Denials to log at info, with the identifier and the counts: off, or sampled, which is at most 10 per second."),
  TEST_CLOCK(
      Topic.LOG,
      null,
      "false",
      "Whether clients may say what time it is. For tests only: whoever has a key gets around every limit.");

  /** What settings are about, in the order of the help. */
  enum Topic {
    PLACE("Where this node is, and with whom it counts:"),
    CATALOG("Where workspaces, keys, namespaces and overrides are:"),
    ACCESS("The first root key:"),
    EXCHANGE("Exchange with other regions, through --jdbc-url:"),
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

  /** What happens if nobody sets a value and there is none by default. */
  private record Otherwise(String words) {}

  static final String ENVIRONMENT_PREFIX = "TIDEGATE_";

  private final Topic topic;
  private final @Nullable String label;
  private final @Nullable String standard;
  private final String description;

  /** One that always has a value; a switch has no label. */
  Setting(Topic topic, @Nullable String label, String standard, String description) {
    this.topic = topic;
    this.label = label;
    this.standard = standard;
    this.description = description + defaults(standard);
  }

  /** One that may have no value. */
  Setting(Topic topic, String label, String description, Otherwise otherwise) {
    this.topic = topic;
    this.label = label;
    this.standard = null;
    this.description = description + defaults(otherwise.words);
  }

  private String defaults(String words) {
    return "\nDefault: " + words + ". Environment: " + environmentName();
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

  /** What the help says of it, with its default and its environment variable, in lines. */
  String[] help() {
    return description.split("\n");
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
      case JDBC_PASSWORD, FIRST_ROOT_KEY -> "***";
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

  static List<String> names() {
    return Arrays.stream(values()).map(Setting::name).toList();
  }

  static List<Setting> of(Topic topic) {
    return Arrays.stream(values()).filter(setting -> setting.topic == topic).toList();
  }
}
