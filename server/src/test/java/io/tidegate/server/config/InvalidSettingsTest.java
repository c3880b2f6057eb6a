package io.tidegate.server.config;

import static io.tidegate.server.config.ServerConfigTest.problems;
import static io.tidegate.server.config.ServerConfigTest.read;
import static io.tidegate.server.config.ServerConfigTest.variable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that are rejected, or accepted with a warning. */
class InvalidSettingsTest {

  @TempDir
  private Path directory;

  @ParameterizedTest
  @CsvSource({
    "TIDEGATE_PORT, 8080",
    "TIDEGATE_PORT, http://10.0.0.1:8080",
    "TIDEGATE_SERVICE_HOST, eu.internal",
    "TIDEGATE_SERVICE_PORT, http",
    "TIDEGATE_PORT_8080_TCP, 8080",
    "TIDEGATE_PORT_8080_TCP_PROTO, http",
    "TIDEGATE_PORT_8080, tcp://10.0.0.1:8080",
  })
  void variableThatKubernetesDoesNotSetIsUnknown(String name, String value) {
    assertThatThrownBy(() -> read(Map.of(name, value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("unknown environment variable " + name);
  }

  @Test
  void invalidFirstRootKeyIsRejectedAndNotShown() throws IOException {
    String rule = "20 to 200 characters: letters, digits and . _ ~ + / = -";
    assertThatThrownBy(() -> ServerConfig.of("--first-root-key=hunter2"))
        .hasMessage("first-root-key must have " + rule + ": *** (--first-root-key)");
    Path file = file("hunter2\n");
    assertThatThrownBy(() -> ServerConfig.of("--first-root-key-file=" + file))
        .hasMessage("first-root-key-file must be a file with a key of " + rule + ": "
            + SafeText.text(file.toString()) + " (--first-root-key-file)");
    assertThatThrownBy(() -> ServerConfig.of("--first-root-key-file=/nowhere"))
        .hasMessage(
            "first-root-key-file must be a readable file: /nowhere (--first-root-key-file)");
    assertThatThrownBy(() -> ServerConfig.of(
            "--first-root-key=tg_12345678901234567890", "--first-root-key-file=" + file))
        .hasMessageContaining("cannot be combined with first-root-key");
  }

  @ParameterizedTest
  @CsvSource({"floor", "floor:", "floor:1.1", "floor:-0.5", "floor:x", "floor:.5", "eager"})
  void otherPushPoliciesAreRejected(String policy) {
    assertThatThrownBy(() -> ServerConfig.of(
            "--jdbc-url=jdbc:mariadb://db/t", "--region=eu", "--push-policy=" + policy))
        .hasMessage(
            "push-policy must be adaptive, or floor with a fraction of the limit such as floor:0.5: "
                + policy + " (--push-policy)");
  }

  @Test
  void intervalOutsideTheBoundsIsRejected() {
    assertThatThrownBy(() -> ServerConfig.of(
            "--jdbc-url=jdbc:mariadb://db/t", "--region=eu", "--push-interval=50ms"))
        .hasMessage("push-interval must be from 100ms to 1h: 50ms (--push-interval)");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      http-port        | http      | must be a whole number from 0 to 65535
      http-port        | 65536     | must be a whole number from 0 to 65535
      admin-port       | -1        | must be a whole number from 0 to 65535
      admin-port       | 80.5      | must be a whole number from 0 to 65535
      max-series       | 0         | must be a whole number from 1 to 2147483647
      max-series       | 2147483648 | must be a whole number from 1 to 2147483647
      max-body-bytes   | 1e6       | must be a whole number from 1 to 104857600
      max-connections  | 1_000     | must be a whole number from 1 to 2147483647
      event-loops      | 1025      | must be a whole number from 1 to 1024
      request-timeout  | 60        | must be a time such as 500ms, 60s, 5m or 1h
      request-timeout  | 0s        | must be from 1ms to 24h
      idle-timeout     | 1.5s      | must be a time such as 500ms, 60s, 5m or 1h
      stop-delay       | 25h       | must be from 0s to 24h
      stop-timeout     | -1s       | must be a time such as 500ms, 60s, 5m or 1h
      redis-cluster    | maybe     | must be true or false
      jdbc-migrate     | yes       | must be true or false
      test-clock       | 1         | must be true or false
      log-format       | xml       | must be one of text, json
      log-level        | trace     | must be one of error, warn, info, debug
      log-denials      | all       | must be one of off, sampled
      base-path        | limits    | must be a path such as /limits or /api/limits
      base-path        | /limits/  | must be a path such as /limits or /api/limits
      redis-uri        | http://a  | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a:99999 | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a,b | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a, | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis-sentinel://a:26379 | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a:port |  must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://:6379 |  must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a/db |  must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis-sentinel://a:1,b:99999#m |  must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      redis-uri        | redis://a b | must be a URI such as redis://user:password@host:6379 or redis-sentinel://host1:26379,host2:26379/0#mymaster
      jdbc-url         | mysql://a | must be a MySQL or MariaDB URL such as jdbc:mariadb://host:3306/database
      jdbc-url         | jdbc:oracle:x | must be a MySQL or MariaDB URL such as jdbc:mariadb://host:3306/database
      jdbc-url         | jdbc:sqlite:x | must be a MySQL or MariaDB URL such as jdbc:mariadb://host:3306/database
      data             | a?b       | must not contain a question mark
      """)
  void invalidValueIsReportedWithItsSource(String key, String value, String rule)
      throws IOException {
    Path file = file(key + ": '" + value + "'");
    assertThat(problems(Map.of(), "--" + key + "=" + value))
        .contains(key + " " + rule + ": " + value + " (--" + key + ")");
    assertThat(problems(Map.of(variable(key), value)))
        .contains(key + " " + rule + ": " + value + " (" + variable(key) + ")");
    assertThat(problems(Map.of(), "--config=" + file))
        .contains(key + " " + rule + ": " + value + " (" + file + ", line 1)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"region", "node", "data", "http-host", "http-port", "redis-uri"})
  void emptyValueIsRejected(String key) {
    assertThat(problems(Map.of(), "--" + key + "="))
        .contains(key + " must not be empty:  (--" + key + ")");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      --jdbc-url=jdbc:mariadb://db/t                         | jdbc-url needs region, a name that no other region of the database uses: jdbc:mariadb://db/t (--jdbc-url)
      --test-clock --redis-uri=redis://a                     | test-clock cannot be combined with redis-uri or jdbc-url: true (--test-clock)
      --test-clock --region=eu --jdbc-url=jdbc:mariadb://db/t | test-clock cannot be combined with redis-uri or jdbc-url: true (--test-clock)
      --redis-cluster                                        | redis-cluster needs redis-uri with one or more nodes of the cluster: true (--redis-cluster)
      --redis-cluster --redis-uri=redis-sentinel://a:1#m     | redis-uri must list nodes of the cluster and no Sentinels with redis-cluster: redis-sentinel://a:1#m (--redis-uri)
      --redis-uri=redis://a,redis://b                        | redis-uri must be a single URI unless redis-cluster is true: redis://a,redis://b (--redis-uri)
      --jdbc-user=me                                         | jdbc-user needs jdbc-url: me (--jdbc-user)
      --jdbc-password=hunter2                                | jdbc-password needs jdbc-url: *** (--jdbc-password)
      --region=eu --jdbc-url=jdbc:mariadb://db/t --data=d    | data has no effect with jdbc-url, which stores the catalog: d (--data)
      --push-policy=adaptive                                 | push-policy needs jdbc-url: adaptive (--push-policy)
      --push-interval=1s                                     | push-interval needs jdbc-url: 1s (--push-interval)
      --cleanup=false                                        | cleanup needs jdbc-url: false (--cleanup)
      --tls-key=k.pem                                        | tls-key needs tls-certificate: k.pem (--tls-key)
      --gateway-host=127.0.0.1                               | gateway-host needs gateway-port: 127.0.0.1 (--gateway-host)
      --gateway-secret=0123456789abcdefghij                  | gateway-secret needs gateway-port: *** (--gateway-secret)
      --shadow-mode                                          | shadow-mode needs gateway-port: true (--shadow-mode)
      --gateway-port=9000 --gateway-headers=draft-7          | gateway-headers must be one of off, draft-11, draft-06: draft-7 (--gateway-headers)
      --gateway-port=9000 --shadow-mode=on                   | shadow-mode must be true or false: on (--shadow-mode)
      --gateway-port=x                                       | gateway-port must be a whole number from 0 to 65535: x (--gateway-port)
      --gateway-port=9000 --gateway-secret=short             | gateway-secret must have 20 to 200 characters: letters, digits and . _ ~ + / = -: *** (--gateway-secret)
      --gateway-port=9000 --gateway-host=0.0.0.0             | gateway-host is reachable from other machines: set gateway-secret or gateway-client-ca, or gateway-open to accept every client: 0.0.0.0 (--gateway-host)
      --gateway-port=9000 --gateway-host=::                  | gateway-host is reachable from other machines: set gateway-secret or gateway-client-ca, or gateway-open to accept every client: :: (--gateway-host)
      --gateway-port=9000 --gateway-host=10.0.0.1            | gateway-host is reachable from other machines: set gateway-secret or gateway-client-ca, or gateway-open to accept every client: 10.0.0.1 (--gateway-host)
      --gateway-port=9000 --gateway-host=no.such.invalid     | gateway-host must be an address or the name of one: no.such.invalid (--gateway-host)
      --gateway-port=9000 --gateway-open --gateway-secret=0123456789abcdefghij | gateway-open cannot be combined with gateway-secret or gateway-client-ca: true (--gateway-open)
      --gateway-port=8080                                    | http-port and gateway-port must differ on the same host: both are 8080, on 0.0.0.0 and 127.0.0.1
      --gateway-port=8081                                    | admin-port and gateway-port must differ on the same host: both are 8081, on 127.0.0.1 and 127.0.0.1
      --http-port=9000 --admin-port=9000                     | http-port and admin-port must differ on the same host: both are 9000, on 0.0.0.0 and 127.0.0.1
      --admin-token=short                                    | admin-token must have 20 to 200 characters: letters, digits and . _ ~ + / = -: *** (--admin-token)
      --http-host=a --admin-host=a --http-port=8081          | http-port and admin-port must differ on the same host: both are 8081, on a and a
      --http-host=a --admin-host=:: --http-port=8081         | http-port and admin-port must differ on the same host: both are 8081, on a and ::
      """)
  void contradictingSettingsAreRejected(String flags, String problem) {
    assertThat(problems(Map.of(), flags.split(" "))).containsExactly(problem);
  }

  @Test
  void clientCaMustBeAPemFileAndNeedsACertificate() throws IOException {
    Path file = file("no certificate");
    assertThat(problems(
            Map.of(),
            "--gateway-port=9000",
            "--gateway-host=0.0.0.0",
            "--gateway-client-ca=" + file))
        .containsExactly(
            "gateway-client-ca needs tls-certificate: " + SafeText.text(file.toString())
                + " (--gateway-client-ca)",
            "gateway-client-ca must be a PEM file with a certificate: "
                + SafeText.text(file.toString()) + " (--gateway-client-ca)");
    assertThat(problems(Map.of(), "--gateway-port=9000", "--gateway-client-ca=/nowhere"))
        .contains("gateway-client-ca must be a readable file: /nowhere (--gateway-client-ca)");
  }

  @Test
  void regionNameHasAtMost48CodePoints() {
    String longest = "\uD83C\uDF0D".repeat(48);
    assertThat(ServerConfig.of("--region=" + longest).region().name()).isEqualTo(longest);
    assertThat(problems(Map.of(), "--region=" + longest + "x"))
        .containsExactly("region must have at most 48 characters: " + longest + "x (--region)");
    assertThat(problems(Map.of(), "--node=" + "n".repeat(257)))
        .containsExactly(
            "node must have at most 200 characters: " + "n".repeat(100) + "... (--node)");
  }

  @Test
  void allProblemsAreReportedTogether() throws IOException {
    Path file = file("http-prot: 80\nstop-delay: soon\nstop-delay: later");
    assertThat(problems(
            Map.of("TIDEGATE_ADMIN_PORT", "x", "TIDEGATE_REGOIN", "eu"),
            "--config=" + file,
            "--log-level=loud",
            "--redis-cluster"))
        .containsExactlyInAnyOrder(
            "unknown environment variable TIDEGATE_REGOIN; did you mean TIDEGATE_REGION?",
            file + ", line 1: unknown setting http-prot; did you mean http-port?",
            file + ", line 3: stop-delay is set twice",
            "stop-delay must be a time such as 500ms, 60s, 5m or 1h: soon (" + file + ", line 2)",
            "admin-port must be a whole number from 0 to 65535: x (TIDEGATE_ADMIN_PORT)",
            "log-level must be one of error, warn, info, debug: loud (--log-level)",
            "redis-cluster needs redis-uri with one or more nodes of the cluster: true (--redis-cluster)");
  }

  @Test
  void dissimilarNameGetsNoSuggestion() {
    assertThat(problems(Map.of("TIDEGATE_BANANA", "1")))
        .containsExactly("unknown environment variable TIDEGATE_BANANA");
  }

  @Test
  void redisWithoutADatabaseGivesAWarning() {
    assertThat(ServerConfig.of("--redis-uri=redis://a").warnings())
        .singleElement()
        .asString()
        .contains("redis-uri", "jdbc-url", "tidegate-data");
    assertThat(ServerConfig.of(
                "--redis-uri=redis://a", "--jdbc-url=jdbc:mariadb://db/t", "--region=eu")
            .warnings())
        .isEmpty();
  }

  @Test
  void hiddenDenialsGiveAWarning() {
    assertThat(ServerConfig.of("--log-denials=sampled").warnings()).isEmpty();
    assertThat(ServerConfig.of("--log-denials=sampled", "--log-level=warn").warnings())
        .containsExactly(
            "log-denials has no effect: denials are logged at level info, which log-level excludes");
  }

  @Test
  void testClockGivesAWarning() {
    assertThat(ServerConfig.of("--test-clock").warnings())
        .singleElement()
        .asString()
        .contains("test-clock is on");
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("tidegate.yaml"), text);
  }
}
