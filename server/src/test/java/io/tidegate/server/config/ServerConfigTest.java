package io.tidegate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.server.log.LogDenials;
import io.tidegate.server.log.LogFormat;
import io.tidegate.server.log.LogLevel;
import io.tidegate.spi.PushPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class ServerConfigTest {

  @TempDir
  private Path directory;

  @Test
  void sentinelUriIsOneUri() {
    String uri = "redis-sentinel://:hunter2@a:26379,b:26379/0#mymaster";
    ServerConfig config = ServerConfig.of("--redis-uri=" + uri);
    assertThat(config.region().redisUris()).containsExactly(uri);
    assertThat(config.toString()).doesNotContain("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://host",
        "redis://redis_1:6379/3",
        "rediss://user:p%40ss@host:6379?timeout=5s",
        "redis://:p@ss@host",
        "redis://[2001:db8::1]:6379",
        "redis-sentinel://h1,h2:26379/0#mymaster",
        "rediss-sentinel://:pw@h1?sentinelMasterId=m"
      })
  void redisUrisOfManyFormsAreValid(String uri) {
    assertThat(ServerConfig.of("--redis-uri=" + uri).region().redisUris()).containsExactly(uri);
  }

  @Test
  void defaultsNeedNoOtherServer() {
    ServerConfig config = ServerConfig.of();

    assertThat(config.region().name()).isEqualTo("default");
    assertThat(config.region().node())
        .hasSizeGreaterThan(5)
        .isNotEqualTo(ServerConfig.of().region().node());
    assertThat(config.region().redisUris()).isEmpty();
    assertThat(config.region().redisCluster()).isFalse();
    assertThat(config.catalog().jdbcUrl()).isNull();
    assertThat(config.catalog().user()).isNull();
    assertThat(config.catalog().password()).isNull();
    assertThat(config.catalog().migrate()).isTrue();
    assertThat(config.catalog().data()).isEqualTo(Path.of("tidegate-data"));
    assertThat(config.catalog().url()).startsWith("jdbc:sqlite:").contains("tidegate-data");
    assertThat(config.listen().http().host()).isEqualTo("0.0.0.0");
    assertThat(config.listen().http().port()).isEqualTo(8080);
    assertThat(config.listen().admin().host()).isEqualTo("127.0.0.1");
    assertThat(config.listen().admin().port()).isEqualTo(8081);
    assertThat(config.firstRootKey()).isNull();
    assertThat(config.rules()).isNull();
    assertThat(config.globalCounters().pushPolicy()).isEqualTo(PushPolicy.adaptive());
    assertThat(config.globalCounters().cleanup()).isTrue();
    assertThat(config.ignored()).isEmpty();
    assertThat(config.listen().tls()).isNull();
    assertThat(config.listen().gateway()).isNull();
    assertThat(config.resources().maxSeries()).isEqualTo(1_000_000);
    assertThat(config.resources().maxBodyBytes()).isEqualTo(10_485_760);
    assertThat(config.resources().maxConnections()).isEqualTo(10_000);
    assertThat(config.resources().requestTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.resources().idleTimeout()).isEqualTo(Duration.ofSeconds(75));
    assertThat(config.resources().stopDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.resources().stopTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.resources().eventLoops())
        .isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(config.testClock()).isFalse();
    assertThat(config.log().format()).isEqualTo(LogFormat.TEXT);
    assertThat(config.log().level()).isEqualTo(LogLevel.INFO);
    assertThat(config.log().denials()).isEqualTo(LogDenials.OFF);
    assertThat(config.warnings()).isEmpty();
  }

  /** For each setting: a value other than the default, other settings it needs, and the result. */
  private static List<Arguments> settings() {
    Map<String, String> database = Map.of("jdbc-url", "jdbc:mariadb://db/t", "region", "eu");
    Map<String, String> gateway = Map.of("gateway-port", "9000");
    return List.of(
        setting("region", "eu", Map.of(), config -> config.region().name(), "eu"),
        setting("node", "n-1", Map.of(), config -> config.region().node(), "n-1"),
        setting(
            "redis-uri",
            "redis://u:p@a:1",
            Map.of(),
            config -> config.region().redisUris(),
            List.of("redis://u:p@a:1")),
        setting(
            "redis-cluster",
            "true",
            Map.of("redis-uri", "redis://a, rediss://b"),
            config -> List.of(config.region().redisCluster(), config.region().redisUris()),
            List.of(true, List.of("redis://a", "rediss://b"))),
        setting(
            "jdbc-url",
            "jdbc:mariadb://db/t?x=y",
            Map.of("region", "eu"),
            config -> config.catalog().url(),
            "jdbc:mariadb://db/t?x=y"),
        setting("jdbc-user", "me", database, config -> config.catalog().user(), "me"),
        setting("jdbc-password", "pw", database, config -> config.catalog().password(), "pw"),
        setting("jdbc-migrate", "false", Map.of(), config -> config.catalog().migrate(), false),
        setting("data", "elsewhere", Map.of(), c -> c.catalog().data(), Path.of("elsewhere")),
        setting(
            "first-root-key",
            "tg_12345678901234567890",
            Map.of(),
            ServerConfig::firstRootKey,
            "tg_12345678901234567890"),
        setting(
            "push-policy",
            "floor:0.25",
            database,
            config -> config.globalCounters().pushPolicy(),
            PushPolicy.floor(0.25, Duration.ofSeconds(10))),
        setting(
            "push-interval",
            "5s",
            database,
            config -> config.globalCounters().pushPolicy(),
            PushPolicy.adaptive(Duration.ofSeconds(5))),
        setting("cleanup", "false", database, config -> config.globalCounters().cleanup(), false),
        setting("rules", "limits", Map.of(), ServerConfig::rules, Path.of("limits")),
        setting(
            "http-host", "10.0.0.1", Map.of(), config -> config.listen().http().host(), "10.0.0.1"),
        setting("http-port", "0", Map.of(), config -> config.listen().http().port(), 0),
        setting(
            "base-path",
            "/api/limits",
            Map.of(),
            config -> config.listen().basePath(),
            "/api/limits"),
        setting("admin-host", "::1", Map.of(), config -> config.listen().admin().host(), "::1"),
        setting(
            "admin-token",
            "0123456789abcdefghij",
            Map.of(),
            config -> Objects.requireNonNull(config.listen().adminToken()),
            "0123456789abcdefghij"),
        setting("console", "false", Map.of(), config -> config.listen().console(), false),
        setting(
            "admin-port", "65535", Map.of(), config -> config.listen().admin().port(), 65_535),
        setting(
            "gateway-port", "0", Map.of(), config -> gateway(config).address().port(), 0),
        setting(
            "gateway-host",
            "::1",
            gateway,
            config -> gateway(config).address().host(),
            "0:0:0:0:0:0:0:1"),
        setting(
            "gateway-secret",
            "0123456789abcdefghij",
            gateway,
            config -> gateway(config).secret(),
            "0123456789abcdefghij"),
        setting(
            "gateway-open",
            "true",
            Map.of("gateway-port", "9000", "gateway-host", "0.0.0.0"),
            config -> gateway(config).address().host(),
            "0.0.0.0"),
        setting(
            "gateway-headers",
            "draft-06",
            gateway,
            config -> gateway(config).headers(),
            DecisionHeaders.DRAFT_06),
        setting("gateway-metadata", "true", gateway, config -> gateway(config).metadata(), true),
        setting("shadow-mode", "true", gateway, config -> gateway(config).shadowMode(), true),
        setting(
            "max-series",
            "2147483647",
            Map.of(),
            config -> config.resources().maxSeries(),
            Integer.MAX_VALUE),
        setting("max-body-bytes", "1", Map.of(), config -> config.resources().maxBodyBytes(), 1),
        setting("max-connections", "7", Map.of(), config -> config.resources().maxConnections(), 7),
        setting(
            "request-timeout",
            "500ms",
            Map.of(),
            config -> config.resources().requestTimeout(),
            Duration.ofMillis(500)),
        setting(
            "idle-timeout",
            "5m",
            Map.of(),
            config -> config.resources().idleTimeout(),
            Duration.ofMinutes(5)),
        setting(
            "stop-delay", "0s", Map.of(), config -> config.resources().stopDelay(), Duration.ZERO),
        setting(
            "stop-timeout",
            "1h",
            Map.of(),
            config -> config.resources().stopTimeout(),
            Duration.ofHours(1)),
        setting("event-loops", "3", Map.of(), config -> config.resources().eventLoops(), 3),
        setting("test-clock", "true", Map.of(), ServerConfig::testClock, true),
        setting("log-format", "json", Map.of(), config -> config.log().format(), LogFormat.JSON),
        setting("log-level", "debug", Map.of(), config -> config.log().level(), LogLevel.DEBUG),
        setting(
            "log-denials",
            "sampled",
            Map.of(),
            config -> config.log().denials(),
            LogDenials.SAMPLED));
  }

  private static GatewayConfig gateway(ServerConfig config) {
    return Objects.requireNonNull(config.listen().gateway());
  }

  private static Arguments setting(
      String key,
      String value,
      Map<String, String> beside,
      Function<ServerConfig, Object> reader,
      Object expected) {
    return Arguments.of(key, value, beside, reader, expected);
  }

  @Test
  void everySettingIsTested() {
    Set<String> elsewhere =
        Set.of("config", "first-root-key-file", "tls-certificate", "tls-key", "gateway-client-ca");
    assertThat(Setting.keys())
        .allMatch(key -> elsewhere.contains(key)
            || settings().stream().anyMatch(tried -> tried.get()[0].equals(key)));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void settingsAreFlags(
      String key,
      String value,
      Map<String, String> beside,
      Function<ServerConfig, Object> reader,
      Object expected) {
    String[] flags = flags(beside, "--" + key + "=" + value);
    assertThat(reader.apply(ServerConfig.of(flags))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void settingsAreEnvironmentVariables(
      String key,
      String value,
      Map<String, String> beside,
      Function<ServerConfig, Object> reader,
      Object expected) {
    Map<String, String> environment = Map.of(variable(key), value);
    assertThat(reader.apply(read(environment, flags(beside)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("settings")
  void settingsAreKeysOfAFile(
      String key,
      String value,
      Map<String, String> beside,
      Function<ServerConfig, Object> reader,
      Object expected)
      throws IOException {
    Path file = file(key + ": " + value);
    assertThat(reader.apply(ServerConfig.of(flags(beside, "--config=" + file))))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Setting.class)
  void helpExplainsEverySettingWithItsDefaultAndItsEnvironmentVariable(Setting setting) {
    String help = help().replaceAll("\\s+", " ");
    String own =
        help.substring(help.indexOf(" " + setting.flag() + (setting.isSwitch() ? "[" : "=")));
    String end = ". Environment: " + setting.environmentName();
    assertThat(own.substring(0, own.indexOf(end)))
        .hasSizeGreaterThan(30)
        .hasSizeLessThan(300)
        .contains(" Default: " + setting.defaultValue().orElse(""));
  }

  @Test
  void helpFitsItsWidth() {
    assertThat(help().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void helpShowsDefaultsAndNotTheGivenValues() {
    CommandSpec command = command();
    CommandLine line = new CommandLine(command);
    ServerConfig.read(line.parseArgs("--http-port=9999"), Map.of("TIDEGATE_REGION", "mars"));
    assertThat(line.getUsageMessage()).doesNotContain("9999", "mars");
  }

  @Test
  void flagsPrecedeTheEnvironmentWhichPrecedesTheFile() throws IOException {
    Path file = file("http-port: 1\nregion: file\nnode: file");
    Map<String, String> environment = Map.of("TIDEGATE_HTTP_PORT", "2", "TIDEGATE_REGION", "env");

    ServerConfig config = read(environment, "--config=" + file, "--http-port=3");

    assertThat(config.listen().http().port()).isEqualTo(3);
    assertThat(config.region().name()).isEqualTo("env");
    assertThat(config.region().node()).isEqualTo("file");
  }

  @Test
  void environmentCanNameTheFile() throws IOException {
    Map<String, String> environment =
        Map.of("TIDEGATE_CONFIG", file("region: mars").toString());
    assertThat(read(environment).region().name()).isEqualTo("mars");
  }

  @Test
  void switchNeedsNoValue() {
    assertThat(ServerConfig.of("--test-clock").testClock()).isTrue();
    assertThat(
            ServerConfig.of("--redis-cluster", "--redis-uri=redis://a").region().redisCluster())
        .isTrue();
  }

  @Test
  void emptyEnvironmentVariableIsIgnored() {
    assertThat(read(Map.of("TIDEGATE_REGION", "")).region().name()).isEqualTo("default");
  }

  @ParameterizedTest
  @CsvSource({
    "TIDEGATE_SERVICE_HOST, 10.0.0.1",
    "TIDEGATE_SERVICE_PORT, 8080",
    "TIDEGATE_SERVICE_PORT_HTTP, 8080",
    "TIDEGATE_PORT, tcp://10.0.0.1:8080",
    "TIDEGATE_PORT_8080_TCP, tcp://10.0.0.1:8080",
    "TIDEGATE_PORT_8080_TCP_PROTO, tcp",
    "TIDEGATE_PORT_8080_TCP_PORT, 8080",
    "TIDEGATE_PORT_8080_TCP_ADDR, 10.0.0.1",
    "TIDEGATE_ADMIN_SERVICE_HOST, 10.0.0.1",
    "TIDEGATE_ADMIN_PORT, tcp://10.0.0.1:8081",
    "TIDEGATE_HTTP_PORT, tcp://10.0.0.1:80",
    "TIDEGATE_JAVA_HOME, /usr/lib/jvm/x",
    "TIDEGATE_PORT_53_UDP, udp://10.0.0.1:53",
    "TIDEGATE_SERVICE_HOST, 2001:db8::1",
    "TIDEGATE_ROOT_KEY, secret",
    "TIDEGATE_URL, http://localhost:8080",
    "PATH, /bin",
  })
  void environmentVariablesOfOtherProgramsAreIgnored(String name, String value) {
    ServerConfig config = read(Map.of(name, value));
    assertThat(config.listen().http().port()).isEqualTo(8080);
    assertThat(config.listen().admin().port()).isEqualTo(8081);
  }

  @Test
  void kubernetesVariablesAreListed() {
    assertThat(read(Map.of("TIDEGATE_PORT", "tcp://10.0.0.1:8080", "TIDEGATE_URL", "http://a"))
            .ignored())
        .containsExactly("TIDEGATE_PORT");
  }

  @Test
  void firstRootKeyCanBeInAFile() throws IOException {
    Path file = file("tg_12345678901234567890\n");
    assertThat(ServerConfig.of("--first-root-key-file=" + file).firstRootKey())
        .isEqualTo("tg_12345678901234567890");
  }

  @Test
  void floorHasItsOwnDefaultInterval() {
    assertThat(ServerConfig.of(
                "--jdbc-url=jdbc:mariadb://db/t", "--region=eu", "--push-policy=floor:0.5")
            .globalCounters()
            .pushPolicy())
        .isEqualTo(PushPolicy.floor(0.5, Duration.ofSeconds(10)));
  }

  @Test
  void onePortCanBeUsedOnTwoAddresses() {
    assertThat(ServerConfig.of("--http-host=10.0.0.1", "--http-port=8081")
            .listen()
            .http()
            .port())
        .isEqualTo(8081);
    assertThat(
            ServerConfig.of("--http-port=0", "--admin-port=0").listen().admin().port())
        .isZero();
  }

  @Test
  void gatewayPortIsOnTheLoopbackAddressAndAddsNothingByDefault() {
    GatewayConfig gateway = gateway(ServerConfig.of("--gateway-port=9000"));
    assertThat(gateway.address()).isEqualTo(new ListenConfig.Address("127.0.0.1", 9_000));
    assertThat(gateway.secret()).isNull();
    assertThat(gateway.clientCa()).isNull();
    assertThat(gateway.headers()).isNull();
    assertThat(gateway.metadata()).isFalse();
    assertThat(gateway.shadowMode()).isFalse();
  }

  @Test
  void gatewayHostMayBeTheNameOfALoopbackAddress() {
    assertThat(gateway(ServerConfig.of("--gateway-port=9000", "--gateway-host=localhost"))
            .address()
            .host())
        .isIn("127.0.0.1", "0:0:0:0:0:0:0:1");
  }

  @Test
  void gatewayPortIsOpenToOtherMachinesWithASecret() {
    ServerConfig config = ServerConfig.of(
        "--gateway-port=9000", "--gateway-host=0.0.0.0", "--gateway-secret=0123456789abcdefghij");
    assertThat(gateway(config).address().host()).isEqualTo("0.0.0.0");
    assertThat(gateway(config).toString()).doesNotContain("0123456789");
  }

  @Test
  void gatewayPortWithoutRulesGivesAWarning() {
    assertThat(ServerConfig.of("--gateway-port=9000").warnings())
        .singleElement()
        .asString()
        .contains("gateway-port is set without rules");
    assertThat(ServerConfig.of("--gateway-port=9000", "--rules=r").warnings()).isEmpty();
  }

  @Test
  void secretsAreNeverShown() {
    assertThat(ServerConfig.of(
                "--redis-uri=redis://me:hunter2@a",
                "--jdbc-url=jdbc:mariadb://db/t?user=me&password=hunter2",
                "--jdbc-password=hunter2",
                "--region=eu")
            .toString())
        .doesNotContain("hunter2")
        .contains("redis://***@a", "jdbc:mariadb://db/t?***", "region=eu");
    assertThat(String.join(
            "\n",
            problems(
                Map.of("TIDEGATE_JDBC_PASSWRD", "hunter2", "TIDEGATE_JDBC_PASSWORD", "hunter2"),
                "--redis-uri=redis://a,redis:/me:hunter2@b")))
        .doesNotContain("hunter2");
  }

  private String help() {
    return new CommandLine(command()).setUsageHelpWidth(100).getUsageMessage();
  }

  private static CommandSpec command() {
    CommandSpec command = CommandSpec.create();
    ServerConfig.declare(command);
    return command;
  }

  static ServerConfig read(Map<String, String> environment, String... flags) {
    return ServerConfig.read(new CommandLine(command()).parseArgs(flags), environment);
  }

  static List<String> problems(Map<String, String> environment, String... flags) {
    return catchThrowableOfType(ConfigException.class, () -> read(environment, flags))
        .problems();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("tidegate.yaml"), text);
  }

  static String variable(String key) {
    return Setting.ofKey(key).orElseThrow().environmentName();
  }

  private static String[] flags(Map<String, String> beside, String... more) {
    List<String> flags = new java.util.ArrayList<>(Arrays.asList(more));
    beside.forEach((key, value) -> {
      if (flags.stream().noneMatch(flag -> flag.startsWith("--" + key + "="))) {
        flags.add("--" + key + "=" + value);
      }
    });
    return flags.toArray(String[]::new);
  }
}
