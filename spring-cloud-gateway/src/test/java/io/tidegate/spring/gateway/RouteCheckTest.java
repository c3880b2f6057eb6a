package io.tidegate.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.TestApplication;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** Limits of routes that are wrong stop the start; the gateway alone would start and answer 404. */
class RouteCheckTest {

  private static final String ARGS =
      "spring.cloud.gateway.server.webflux.routes[0].filters[0].args";

  @Test
  void limitIsMissing() {
    assertThat(failure())
        .contains("Property: " + ARGS + ".tidegate-rate-limiter.limit")
        .contains("The filter RequestRateLimiter has no limit.")
        .contains("Action: Set the number of tokens per window, such as 100.");
  }

  @Test
  void nameOfAnArgumentIsWrong() {
    assertThat(failure("limits=5"))
        .contains("Property: " + ARGS + ".tidegate-rate-limiter.limits")
        .contains("There is no such argument.")
        .contains("Action: Use cost, limit, name, window.");
  }

  @Test
  void valuesAreWrong() {
    assertThat(failure("limit=many")).contains("Value: \"many\"", "It is not a whole number.");
    assertThat(failure("limit=-1")).contains("Value: \"-1\"", "Limit must be between 0 and ");
    assertThat(failure("limit=1", "window=soon"))
        .contains("args.tidegate-rate-limiter.window", "It is not a duration.");
    assertThat(failure("limit=1", "window=10ms")).contains("must be between PT1S and ");
    assertThat(failure("limit=1", "cost=0")).contains("args.tidegate-rate-limiter.cost");
    assertThat(failure("limit=1", "name=")).contains("args.tidegate-rate-limiter.name");
  }

  @Test
  void argumentsBelongToAnotherFilter() {
    assertThat(failureOf("AddRequestHeader", "limit=5"))
        .contains("The filter AddRequestHeader has the arguments of a limit and ignores them.");
  }

  @Test
  void limitOfDefaultFiltersIsWrong() {
    String filter = "spring.cloud.gateway.server.webflux.default-filters[0]";
    assertThat(TestApplication.failure(
            Front.WEBFLUX,
            Application.class,
            filter + ".name=RequestRateLimiter",
            filter + ".args.tidegate-rate-limiter.limit=-7"))
        .contains("Property: " + filter + ".args.tidegate-rate-limiter.limit", "-7");
  }

  @Test
  void limitOfARouteInJavaIsWrong() {
    assertThat(TestApplication.failure(Front.WEBFLUX, JavaRoute.class))
        .contains("route java.tidegate-rate-limiter.limit", "has no limit");
  }

  @Test
  void applicationStartsWithoutTheGateway() {
    try (TestApplication application = TestApplication.start(
        Front.WEBFLUX, Application.class, "spring.cloud.gateway.server.webflux.enabled=false")) {
      assertThat(application.context().getBeanNamesForType(GatewayProperties.class))
          .isEmpty();
    }
  }

  @Test
  void disabledLimiterAllowsAllRequests() {
    try (TestApplication gateway = TestApplication.start(
        Front.WEBFLUX,
        Application.class,
        properties("RequestRateLimiter", "limit=0", "disabled"))) {
      assertThat(gateway.statuses(3, "/")).containsOnly(200);
    }
  }

  @Test
  void headersAreThoseOfTheProperty() {
    try (TestApplication gateway = TestApplication.start(
        Front.WEBFLUX,
        Application.class,
        properties("RequestRateLimiter", "limit=0", "draft-06"))) {
      assertThat(gateway.get("/").statusCode()).isEqualTo(429);
      assertThat(gateway.get("/").headers().firstValue("RateLimit-Limit")).contains("0");
      assertThat(gateway.get("/").headers().firstValue("RateLimit-Policy")).isEmpty();
      assertThat(gateway.get("/").headers().firstValue("Retry-After")).isEmpty(); // never helps
    }
  }

  private static String failure(String... args) {
    return failureOf("RequestRateLimiter", args);
  }

  private static String failureOf(String filter, String... args) {
    return TestApplication.failure(Front.WEBFLUX, Application.class, properties(filter, args));
  }

  private static String[] properties(String filter, String... args) {
    String route = "spring.cloud.gateway.server.webflux.routes[0]";
    List<String> properties = new ArrayList<>(List.of(
        route + ".id=first",
        route + ".uri=no://op", // answers 200 without a server
        route + ".predicates[0]=Path=/**",
        route + ".filters[0].name=" + filter));
    for (String arg : args) {
      switch (arg) {
        case "disabled" -> properties.add("tidegate.enabled=false");
        case "draft-06" -> properties.add("tidegate.headers=draft-06");
        default -> properties.add(ARGS + ".tidegate-rate-limiter." + arg);
      }
    }
    return properties.toArray(String[]::new);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    KeyResolver everybody() {
      return exchange -> Mono.just("everybody");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Application.class)
  static class JavaRoute {

    @Bean
    RouteLocator java(RouteLocatorBuilder routes) {
      return routes
          .routes()
          .route(
              "java",
              route -> route
                  .path("/java")
                  .filters(filters -> filters
                      .requestRateLimiter()
                      .rateLimiter(TidegateRateLimiter.class, limit -> limit.setCost(4L))
                      .configure(config -> {}))
                  .uri("http://127.0.0.1:1"))
          .build();
    }
  }
}
