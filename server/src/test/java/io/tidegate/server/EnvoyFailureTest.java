package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Ports;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Redis or nodes that stop while a real Envoy asks for decisions. */
@Timeout(180)
class EnvoyFailureTest {

  private static final String RULES = """
      domain: edge
      descriptors:
        - key: few
          rate_limit: {unit: month, requests_per_unit: 3}
        - key: many
          rate_limit: {unit: month, requests_per_unit: 10000000}
      """;

  private static final List<List<String>> DESCRIPTORS = List.of(List.of("few"), List.of("many"));

  @TempDir
  private Path directory;

  private String fresh;

  @BeforeAll
  static void requireEnvoy() {
    EnvoyGateway.requireEnvoy();
  }

  @BeforeEach
  void createValue() {
    fresh = UUID.randomUUID().toString();
  }

  /**
   * Envoy gives up after 20 ms by default. A node that waits for Redis has at most that long, and
   * then decides from memory.
   */
  @Test
  void decisionsArriveWithinEnvoysDefaultTimeoutWhileRedisIsPaused() {
    EnvoyConfig config = EnvoyConfig.page().withDefaultTimeout().withDescriptors(DESCRIPTORS);
    try (EnvoyScenario envoy = EnvoyScenario.start(RULES, config)) {
      for (int i = 0; i < 200; i++) {
        envoy.get("/", "many", "warm up " + i);
      }
      envoy.redis().pause();
      long before = givenUp(envoy);
      int requests = 50;
      for (int i = 0; i < requests; i++) {
        assertThat(envoy.get("/", "many", fresh + i).statusCode()).isEqualTo(200);
      }
      // Each of them is cold and waits for Redis. Without a deadline, each would wait 300 ms, and
      // Envoy would give up all; some are late on a busy machine.
      assertThat(givenUp(envoy) - before).isLessThanOrEqualTo(requests / 2);
      envoy.redis().resume();
    }
  }

  private static long givenUp(EnvoyScenario envoy) {
    return envoy.gateway().decisions("error");
  }

  @Test
  void limitsHoldWhileRedisIsPaused() {
    EnvoyConfig config = EnvoyConfig.patient().withDescriptors(DESCRIPTORS);
    try (EnvoyScenario envoy = EnvoyScenario.start(RULES, config)) {
      envoy.redis().pause();
      assertThat(envoy.statuses(4, "/", "few", fresh)).containsExactly(200, 200, 200, 429);
      assertThat(envoy.gateway().decisions("failure_mode_allowed")).isZero();
    }
  }

  @Test
  void failureModeDecidesWhileTheNodeIsDown() throws IOException {
    int port = Ports.free();
    EnvoyConfig config = EnvoyConfig.patient().withDescriptors(DESCRIPTORS);
    try (NodeProcess node = launch("--gateway-port=" + port).awaitStart();
        EnvoyGateway allows = EnvoyGateway.start(config, port);
        EnvoyGateway denies = EnvoyGateway.start(
            config.replace("failure_mode_deny: false", "failure_mode_deny: true"), port)) {
      assertThat(allows.statuses(4, "/", "few", fresh)).containsExactly(200, 200, 200, 429);
      assertThat(denies.statuses(1, "/", "few", fresh)).containsExactly(429);

      node.kill();
      assertThat(allows.statuses(5, "/", "few", fresh)).containsOnly(200);
      assertThat(allows.decisions("failure_mode_allowed")).isEqualTo(5);
      assertThat(denies.statuses(5, "/", "few", fresh)).containsOnly(500);

      try (NodeProcess restarted = launch("--gateway-port=" + port).awaitStart()) {
        restarted.await("a decision", () -> denies.get("/", "many", fresh).statusCode() == 200);
        assertThat(denies.statuses(4, "/", "few", fresh)).containsExactly(200, 200, 200, 429);
      }
    }
  }

  /** Its health changes first, so that Envoy sends no more calls when the port closes. */
  @Test
  void aNodeThatStopsFailsNoRequest() throws IOException {
    try (NodeProcess stays = launch("--gateway-port=0");
        NodeProcess stops = launch("--gateway-port=0", "--stop-delay=3s");
        EnvoyGateway gateway = EnvoyGateway.start(
            EnvoyConfig.patient().withDescriptors(DESCRIPTORS),
            stays.awaitStart().gatewayPort(),
            stops.awaitStart().gatewayPort())) {
      awaitHealthyNodes(gateway, 2);
      try (EnvoyLoad load = EnvoyLoad.on(gateway, "many")) {
        load.awaitRequests(200);
        stops.terminate();
        assertThat(stops.exitCode()).as(stops::toString).isZero();
        load.awaitRequests(200);
        load.stop();
      }
      awaitHealthyNodes(gateway, 1);
      assertThat(stops.warnings()).isEmpty();
    }
  }

  @Test
  void healthChecksFindANodeThatIsKilled() throws IOException {
    try (NodeProcess stays = launch("--gateway-port=0");
        NodeProcess dies = launch("--gateway-port=0");
        EnvoyGateway gateway = EnvoyGateway.start(
            EnvoyConfig.patient().withDescriptors(DESCRIPTORS),
            stays.awaitStart().gatewayPort(),
            dies.awaitStart().gatewayPort())) {
      awaitHealthyNodes(gateway, 2);
      dies.kill();
      awaitHealthyNodes(gateway, 1);
      // Envoy's worker thread may still send one call to the dead node.
      Waiting.untilPassed(
          Waiting.LONG,
          () -> assertThat(gateway.statuses(4, "/", "few", UUID.randomUUID().toString()))
              .containsExactly(200, 200, 200, 429));
    }
  }

  private static void awaitHealthyNodes(EnvoyGateway gateway, int count) {
    Waiting.await(
        count + " healthy nodes",
        () -> gateway.envoy().stat("cluster.tidegate.membership_healthy") == count);
  }

  private NodeProcess launch(String... flags) throws IOException {
    Path rules = Files.createDirectories(directory.resolve("rules"));
    Files.writeString(rules.resolve("edge.yaml"), RULES);
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--rules=" + rules);
    all.add("--data=" + Files.createTempDirectory(directory, "data"));
    return NodeProcess.launch(all.toArray(String[]::new));
  }
}
