package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rules and the configuration of docs/gateways.md in a real Envoy. */
@Timeout(120)
class EnvoyPageTest {

  private static EnvoyScenario page;

  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void start() {
    page = EnvoyScenario.start(GatewaysPage.block("rules/edge.yaml"), withFields());
  }

  /** The configuration of the page, with the fields that Envoy itself can add. */
  private static EnvoyConfig withFields() {
    return EnvoyConfig.patient()
        .withFilterSetting("enable_x_ratelimit_headers: DRAFT_VERSION_03")
        .withFilterSetting("enable_retry_after_header: true");
  }

  @AfterAll
  static void stop() {
    if (page != null) { // null if the class is skipped
      page.close();
    }
  }

  @Test
  void loginsOfAnAddressAreLimited() {
    EnvoyScenario.awaitRoomInMinute();
    assertThat(page.statuses(3, "/login")).containsOnly(200);
    HttpResponse<String> denied = page.get("/login");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValueAsLong("retry-after").orElseThrow()).isBetween(1L, 60L);
  }

  @Test
  void requestsOfAnApiKeyAreLimited() {
    EnvoyScenario.awaitRoomInMinute();
    assertThat(remaining(page.get("/anything", "x-api-key", key))).isEqualTo(99);
    assertThat(remaining(page.get("/anything", "x-api-key", key))).isEqualTo(98);
  }

  /** The limit is 1,000 per day. */
  @Test
  void usageOfAResponseIsChargedEvenBeyondTheLimit() {
    long before = page.gateway().application().requests();
    assertThat(chat(page, 400)).isEqualTo(1_000);
    assertThat(chat(page, 599)).isEqualTo(600);
    assertThat(chat(page, 400)).isEqualTo(1); // charged in full: 1,399
    assertThat(page.get("/chat", "x-api-key", key).statusCode()).isEqualTo(429);
    assertThat(page.gateway().application().requests() - before).isEqualTo(3);
  }

  @Test
  void bytesOfAResponseCanBeChargedInstead() {
    EnvoyConfig bytes = withFields().replace("%DYNAMIC_METADATA(usage:tokens)%", "%BYTES_SENT%");
    String rules = GatewaysPage.block("rules/edge.yaml").replace("1000}", "12}");
    try (EnvoyScenario envoy = EnvoyScenario.start(rules, bytes)) {
      for (int remaining : new int[] {12, 7, 2}) {
        assertThat(chat(envoy, 0)).isEqualTo(remaining); // "hello" has 5 bytes
      }
      assertThat(envoy.get("/chat", "x-api-key", key).statusCode()).isEqualTo(429);
    }
  }

  /**
   * Sends a request that uses tokens, and waits until Envoy has charged them.
   *
   * @return the tokens that were left before it
   */
  private long chat(EnvoyScenario envoy, int tokens) {
    long calls = calls(envoy);
    HttpResponse<String> answer =
        envoy.get("/chat", "x-api-key", key, "x-use-tokens", Integer.toString(tokens));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("x-used-tokens")).isEmpty();
    Waiting.await("the charge", () -> calls(envoy) == calls + 2);
    return remaining(answer);
  }

  private static long remaining(HttpResponse<String> answer) {
    return answer.headers().firstValueAsLong("x-ratelimit-remaining").orElseThrow();
  }

  private static long calls(EnvoyScenario envoy) {
    return envoy.gateway().envoy().stat("cluster.tidegate.upstream_rq_completed");
  }
}
