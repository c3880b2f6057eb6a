package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields and bodies that reach the client of a real Envoy. */
@Timeout(120)
class EnvoyHeadersTest {

  private static final String RULES = """
      domain: edge
      descriptors:
        - key: calls
          rate_limit: {name: calls, unit: minute, requests_per_unit: 2}
          metadata: {plan: gold}
        - key: more
          rate_limit: {name: more, unit: hour, requests_per_unit: 100}
        - key: first
          rate_limit: {unit: month, requests_per_unit: 1}
          quota_mode: true
          metadata: {plan: first}
        - key: second
          rate_limit: {unit: month, requests_per_unit: 2}
          quota_mode: true
          metadata: {plan: second}
      """;

  private static EnvoyScenario envoy;

  @BeforeAll
  static void start() {
    envoy = EnvoyScenario.start(
        RULES,
        EnvoyConfig.patient()
            .withDescriptors(
                List.of(List.of("calls"), List.of("more"), List.of("first"), List.of("second")))
            .withFilterSetting("enable_x_ratelimit_headers: DRAFT_VERSION_03")
            .replace("                route_config:\n", """
                                route_config:
                                  response_headers_to_add:
                                    - header:
                                        key: x-plan
                                        value: "%DYNAMIC_METADATA(envoy.filters.http.ratelimit:metadata:plan)%"
                """),
        "--gateway-headers=draft-11",
        "--gateway-metadata");
  }

  @AfterAll
  static void stop() {
    if (envoy != null) { // null if the class is skipped
      envoy.close();
    }
  }

  @Test
  void anAllowedResponseHasTheFieldsOfItsLimit() {
    EnvoyScenario.awaitRoomInMinute();
    HttpResponse<String> answer = envoy.get("/", "calls", fresh());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello");
    assertThat(field(answer, "ratelimit-policy")).isEqualTo("\"calls\";q=2;w=60");
    assertThat(field(answer, "ratelimit")).matches("\"calls\";r=1;t=([1-9]|[1-5][0-9]|60)");
    assertThat(field(answer, "x-ratelimit-limit")).isEqualTo("2, 2;w=60;name=\"calls\"");
    assertThat(field(answer, "x-ratelimit-remaining")).isEqualTo("1");
    assertThat(Long.parseLong(field(answer, "x-ratelimit-reset"))).isBetween(1L, 60L);
    assertThat(field(answer, "retry-after")).isEmpty();
  }

  @Test
  void aDeniedResponseHasTheTimeToWaitAndAProblem() {
    EnvoyScenario.awaitRoomInMinute();
    String value = fresh();
    envoy.statuses(2, "/", "calls", value);
    HttpResponse<String> answer = envoy.get("/", "calls", value);
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(field(answer, "ratelimit-policy")).isEqualTo("\"calls\";q=2;w=60");
    String wait = field(answer, "retry-after");
    assertThat(Long.parseLong(wait)).isBetween(1L, 60L);
    assertThat(field(answer, "ratelimit")).isEqualTo("\"calls\";r=0;t=" + wait);
    assertThat(field(answer, "x-ratelimit-remaining")).isEqualTo("0");
    assertThat(field(answer, "x-ratelimit-reset")).isEqualTo(wait);
    assertThat(field(answer, "content-type")).isEqualTo("application/problem+json");
    assertThat(Answer.of(answer).body())
        .containsEntry("type", "https://iana.org/assignments/http-problem-types#quota-exceeded")
        .containsEntry("status", 429L)
        .containsEntry("violated-policies", List.of("calls"));
  }

  /** The binding limit comes first. */
  @Test
  void severalLimitsHaveSeveralItems() {
    EnvoyScenario.awaitRoomInMinute();
    HttpResponse<String> answer = envoy.get("/", "calls", fresh(), "more", fresh());
    assertThat(field(answer, "ratelimit-policy"))
        .isEqualTo("\"calls\";q=2;w=60, \"more\";q=100;w=3600");
    assertThat(field(answer, "ratelimit"))
        .matches("\"calls\";r=1;t=[0-9]+, \"more\";r=99;t=[0-9]+");
    assertThat(field(answer, "x-ratelimit-limit"))
        .isEqualTo("2, 2;w=60;name=\"calls\", 100;w=3600;name=\"more\"");
  }

  @Test
  void metadataOfARuleReachesEnvoy() {
    assertThat(field(envoy.get("/", "calls", fresh()), "x-plan")).isEqualTo("gold");
    assertThat(field(envoy.get("/", "more", fresh()), "x-plan")).isNotEqualTo("gold");
  }

  /** A route can send a request to the service whose quota has room. */
  @Test
  void metadataIsThatOfTheQuotasThatHaveRoom() {
    String value = fresh();
    for (String plan : List.of("first", "second")) {
      assertThat(field(envoy.get("/", "first", value, "second", value), "x-plan"))
          .isEqualTo(plan);
    }
    assertThat(envoy.get("/", "first", value, "second", value).statusCode()).isEqualTo(429);
  }

  private static String fresh() {
    return UUID.randomUUID().toString();
  }

  /** The value of a field; empty if there is none, and all values if there are several. */
  private static String field(HttpResponse<String> answer, String name) {
    return String.join(", ", answer.headers().allValues(name));
  }
}
