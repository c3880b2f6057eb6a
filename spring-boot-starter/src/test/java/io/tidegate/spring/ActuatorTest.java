package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.Hello;
import io.tidegate.spring.testing.TestApplication;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** What the actuator shows of an application that keeps its counts in memory. */
class ActuatorTest {

  private static final String[] PROPERTIES = {
    "management.endpoints.web.exposure.include=*",
    "management.endpoint.health.show-details=always",
    "management.endpoint.health.probes.enabled=true",
    "tidegate.rules[0].name=api",
    "tidegate.rules[0].path=/api/**",
    "tidegate.rules[0].key=header('X-Api-Key')",
    "tidegate.rules[0].methods=GET",
    "tidegate.rules[0].limit=2",
    "tidegate.rules[0].window=1h",
    "tidegate.rules[1].name=users",
    "tidegate.rules[1].key=principal",
    "tidegate.rules[1].limit=9",
    "tidegate.rules[1].window=90s",
    "tidegate.rules[1].shadow=true",
  };

  private static Map<String, Object> json(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JsonParserFactory.getJsonParser().parseMap(response.body());
  }

  @Test
  @SuppressWarnings("unchecked")
  void showsRulesStatisticsHealthAndMetrics() {
    try (TestApplication app = TestApplication.start(Front.MVC, Hello.class, PROPERTIES)) {
      assertThat(app.statuses(3, "/api/x", "X-Api-Key", "k")).containsExactly(200, 200, 429);

      Map<String, Object> endpoint = json(app.get("/actuator/tidegate"));
      List<Map<String, Object>> rules = (List<Map<String, Object>>) endpoint.get("rules");
      assertThat(rules.get(0))
          .containsEntry("name", "api")
          .containsEntry("path", "/api/**")
          .containsEntry("key", "header('X-Api-Key')")
          .containsEntry("limit", 2)
          .containsEntry("window", "1h")
          .containsEntry("order", "BEFORE_SECURITY")
          .containsEntry("shadow", false);
      assertThat((List<Object>) rules.get(0).get("methods")).contains("GET");
      assertThat(rules.get(1))
          .containsEntry("name", "users")
          .containsEntry("window", "90s")
          .containsEntry("order", "AFTER_SECURITY")
          .containsEntry("shadow", true);
      assertThat((Map<String, Object>) endpoint.get("statistics"))
          .containsEntry("evictedSeries", 0);
      assertThat((String) endpoint.get("counts")).contains("memory of this process");

      assertThat(app.get(
                  "/actuator/metrics/tidegate.ratelimit.decisions?tag=namespace:api&tag=outcome:denied")
              .body())
          .contains("\"value\":1.0");

      Map<String, Object> health = json(app.get("/actuator/health"));
      Map<String, Object> tidegate =
          (Map<String, Object>) ((Map<String, Object>) health.get("components")).get("tidegate");
      assertThat(tidegate).containsEntry("status", "UP");
      assertThat((Map<String, Object>) tidegate.get("details")).containsEntry("limiter", "ok");
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void healthCanBeSwitchedOff() {
    try (TestApplication app = TestApplication.start(
        Front.WEBFLUX,
        Hello.class,
        "management.endpoint.health.show-details=always",
        "management.health.tidegate.enabled=false")) {
      Map<String, Object> health = json(app.get("/actuator/health"));
      assertThat((Map<String, Object>) health.get("components"))
          .containsKey("ping")
          .doesNotContainKey("tidegate");
      assertThat(app.get("/actuator/tidegate").body()).isEqualTo("hello"); // not exposed by default
    }
  }
}
