package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules that change while requests of a real Envoy arrive. */
@Timeout(120)
class EnvoyReloadTest {

  @Test
  void aChangeOfTheRulesFailsNoRequest() {
    try (EnvoyScenario envoy = EnvoyScenario.start(
        rules(1_000_000),
        EnvoyConfig.patient().withDescriptors(List.of(List.of("calls"), List.of("changed"))))) {
      try (EnvoyLoad load = EnvoyLoad.on(envoy.gateway(), "calls")) {
        load.awaitRequests(100);
        for (int limit : new int[] {0, 1_000_000, 0}) {
          envoy.writeRules(rules(limit));
          awaitStatus(envoy, limit == 0 ? 429 : 200);
        }
        envoy.writeRules("domain: [");
        Waiting.await("the error", () -> envoy.ready().contains("edge.yaml:1"));
        load.awaitRequests(100);
        awaitStatus(envoy, 429); // the last valid rules
        load.stop();
      }
    }
  }

  private static void awaitStatus(EnvoyScenario envoy, int status) {
    Waiting.untilPassed(
        Waiting.LONG,
        () -> assertThat(envoy.get("/", "changed", "any").statusCode()).isEqualTo(status));
  }

  private static String rules(int limit) {
    return """
        domain: edge
        descriptors:
          - key: calls
            rate_limit: {unit: month, requests_per_unit: 10000000}
          - key: changed
            rate_limit: {unit: month, requests_per_unit: %d}
        """.formatted(limit);
  }
}
