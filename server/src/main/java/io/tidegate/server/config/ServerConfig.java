package io.tidegate.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * All settings of a server, checked one by one and against each other.
 *
 * @param region the region of the node and its origin
 * @param catalog the database or the file of the catalog
 * @param firstRootKey a root key that the catalog must contain; null for none
 * @param globalCounters the exchange of counts with other regions
 * @param rules the directory of the rule files; null for no rules
 * @param listen the addresses to listen on
 * @param resources bounds on memory, connections, threads and time
 * @param log the log
 * @param testClock whether clients may set the time of a request
 * @param warnings settings that are valid, but probably a mistake
 * @param ignored environment variables with our prefix that Kubernetes has set
 */
public record ServerConfig(
    RegionConfig region,
    CatalogConfig catalog,
    @Nullable String firstRootKey,
    GlobalCountersConfig globalCounters,
    @Nullable Path rules,
    ListenConfig listen,
    ResourceConfig resources,
    LogConfig log,
    boolean testClock,
    List<String> warnings,
    List<String> ignored) {

  /** Copies the lists. */
  public ServerConfig {
    warnings = List.copyOf(warnings);
    ignored = List.copyOf(ignored);
  }

  /** Adds the flags of all settings to a command. */
  public static void declare(CommandSpec command) {
    Settings.declare(command, Setting.Topic.values());
  }

  /**
   * Reads flags only: {@code ServerConfig.of("--http-port=0", "--data=" + directory)}.
   *
   * @throws ConfigException if a setting is invalid
   */
  public static ServerConfig of(String... flags) {
    CommandSpec command = CommandSpec.create();
    declare(command);
    return read(new CommandLine(command).parseArgs(flags), Map.of());
  }

  /**
   * Reads flags, environment variables and the file that one of them names.
   *
   * @throws ConfigException if a setting is invalid, with all problems
   */
  public static ServerConfig read(ParseResult flags, Map<String, String> environment) {
    Settings settings = Settings.read(flags, environment);
    checkDatabase(settings);
    checkTestClock(settings);
    checkRules(settings);
    ServerConfig config = new ServerConfig(
        RegionConfig.read(settings),
        CatalogConfig.read(settings),
        FirstRootKey.read(settings),
        GlobalCountersConfig.read(settings),
        settings.path(Setting.RULES).orElse(null),
        ListenConfig.read(settings),
        ResourceConfig.read(settings),
        LogConfig.read(settings),
        settings.isOn(Setting.TEST_CLOCK),
        settings.warnings(),
        Environment.ofKubernetes(environment));
    settings.throwProblems();
    return config;
  }

  private static void checkDatabase(Settings settings) {
    if (settings.has(Setting.JDBC_URL) && !settings.has(Setting.REGION)) {
      settings.reject(
          Setting.JDBC_URL, "needs region, a name that no other region of the database uses");
    }
    if (settings.has(Setting.REDIS_URI) && !settings.has(Setting.JDBC_URL)) {
      settings.warn("redis-uri is set without jdbc-url: the catalog is a local file in "
          + settings.path(Setting.DATA).orElseThrow()
          + ", so other nodes with the same Redis have other workspaces and keys");
    }
  }

  private static void checkTestClock(Settings settings) {
    if (!settings.isOn(Setting.TEST_CLOCK)) {
      return;
    }
    if (settings.has(Setting.REDIS_URI) || settings.has(Setting.JDBC_URL)) {
      settings.reject(Setting.TEST_CLOCK, "cannot be combined with redis-uri or jdbc-url");
    }
    settings.warn(
        "test-clock is on: clients set the time and can bypass every limit; use it for tests only");
  }

  private static void checkRules(Settings settings) {
    if (settings.has(Setting.GATEWAY_PORT) && !settings.has(Setting.RULES)) {
      settings.warn("gateway-port is set without rules: calls of gateways get an error;"
          + " set rules to a directory of rule files");
    }
  }

  /** Whether counts are exchanged with other regions. */
  public boolean hasGlobalCounters() {
    return catalog.jdbcUrl() != null;
  }

  /** The main settings without secrets. */
  @Override
  public String toString() {
    return "ServerConfig[region=" + region + ", catalog=" + catalog + ", http=" + listen.http()
        + ", admin=" + listen.admin() + "]";
  }
}
