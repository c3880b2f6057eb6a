package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two regions, each with its own Envoy, node and Redis, that share one limit. */
@Timeout(180)
class EnvoyRegionsTest {

  private static final int LIMIT = 300;

  /** Requests per second and region: together they use up the limit in 7.5 s. */
  private static final int RATE = 20;

  /**
   * Requests of both regions that a region may not know of yet: those of three seconds, and half of
   * that again for the counts that the push policy holds back. {@code FleetTest} has the reasons.
   */
  private static final int OVERSHOOT = 2 * RATE * 3 * 3 / 2;

  private static final String RULES = """
      domain: edge
      descriptors:
        - key: calls
          rate_limit: {unit: month, requests_per_unit: %d}
      """.formatted(LIMIT);

  @TempDir
  private Path rules;

  @Test
  void twoRegionsShareOneLimit() throws IOException {
    EnvoyGateway.requireEnvoy();
    Files.writeString(rules.resolve("edge.yaml"), RULES);
    EnvoyConfig config = EnvoyConfig.patient().withDescriptors(List.of(List.of("calls")));
    try (Fleet fleet = Fleet.startOfOne("--gateway-port=0", "--rules=" + rules);
        EnvoyGateway here = gateway(config, fleet, Fleet.HERE);
        EnvoyGateway abroad = gateway(config, fleet, Fleet.ABROAD)) {
      CompletableFuture<Integer> ofHere = exhaust(here);
      CompletableFuture<Integer> ofAbroad = exhaust(abroad);
      int admitted = ofHere.join() + ofAbroad.join();
      assertThat(admitted)
          .as("admitted in two regions: %d and %d", ofHere.join(), ofAbroad.join())
          .isBetween(LIMIT, LIMIT + OVERSHOOT)
          .isLessThan(2 * LIMIT); // what two regions admit that share nothing
      for (EnvoyGateway gateway : List.of(here, abroad)) {
        assertThat(gateway.decisions("error")).isZero();
      }
    }
  }

  private static EnvoyGateway gateway(EnvoyConfig config, Fleet fleet, String region) {
    return EnvoyGateway.start(config, fleet.nodes(region).get(0).gatewayPort());
  }

  /** Sends requests at an even rate until one is denied. */
  private static CompletableFuture<Integer> exhaust(EnvoyGateway gateway) {
    return CompletableFuture.supplyAsync(
        () -> {
          long interval = Duration.ofSeconds(1).toNanos() / RATE;
          long next = System.nanoTime();
          int admitted = 0;
          while (gateway.get("/", "calls", "everyone").statusCode() == 200) {
            admitted++;
            next += interval;
            LockSupport.parkNanos(next - System.nanoTime());
          }
          return admitted;
        },
        work -> new Thread(work, "exhaust").start());
  }
}
