package io.tidegate.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidegate.testkit.MariaDbServer;
import io.tidegate.testkit.RedisServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration;
import org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;

/** Compiles the examples of docs/spring.md, and starts applications with its configurations. */
class SpringPageTest {

  /** The imports that the page leaves out. */
  private static final List<String> IMPORTS = List.of(
      "static org.assertj.core.api.Assertions.assertThat",
      "io.tidegate.*",
      "io.tidegate.model.*",
      "io.tidegate.rules.web.*",
      "io.tidegate.spring.method.*",
      "io.tidegate.spring.test.*",
      "io.tidegate.testing.*",
      "java.time.*",
      "java.util.*",
      "java.util.concurrent.*",
      "org.junit.jupiter.api.Test",
      "org.springframework.beans.factory.annotation.*",
      "org.springframework.boot.autoconfigure.*",
      "org.springframework.boot.test.context.*",
      "org.springframework.cloud.gateway.filter.ratelimit.KeyResolver",
      "org.springframework.context.annotation.*",
      "org.springframework.stereotype.*",
      "org.springframework.web.bind.annotation.*",
      "reactor.core.publisher.Mono");

  private static final String WITHOUT_SECURITY = "--spring.autoconfigure.exclude="
      + Stream.of(
              SecurityAutoConfiguration.class,
              UserDetailsServiceAutoConfiguration.class,
              SecurityFilterAutoConfiguration.class,
              ManagementWebSecurityAutoConfiguration.class,
              ReactiveSecurityAutoConfiguration.class,
              ReactiveUserDetailsServiceAutoConfiguration.class,
              ReactiveManagementWebSecurityAutoConfiguration.class)
          .map(Class::getName)
          .collect(Collectors.joining(","));

  private static final String GATEWAY_ENABLED = "spring.cloud.gateway.enabled";
  private static final String WITHOUT_GATEWAY = "--" + GATEWAY_ENABLED + "=false";

  private static final String APPLICATION = """
      @SpringBootApplication
      class Application {}
      """;

  /** An endpoint for all paths. */
  private static final String ENDPOINT = """
      @RestController
      class Everything {
        @RequestMapping("/**")
        String answer() {
          return "answer";
        }
      }
      """;

  /** Stops the clock of the limiter, so that counts are exact at the end of a minute too. */
  private static final String STOPPED_CLOCK = """
      @Configuration
      class StoppedClock {
        @Bean
        InstantSource clock() {
          return InstantSource.fixed(Instant.now());
        }
      }
      """;

  @TempDir
  private Path folder;

  private Page page;

  @BeforeEach
  void read() throws IOException {
    page = Page.read("spring.md");
  }

  /** An application of the page, which is running. */
  private record Running(Compiled classes, ConfigurableApplicationContext context, Http http)
      implements AutoCloseable {

    @Override
    public void close() throws IOException {
      context.close();
      classes.close();
    }
  }

  /** Starts an application without Spring Security and Spring Cloud Gateway. */
  private Running start(String yaml, String classes, String... arguments) throws Exception {
    return startWithAll(
        yaml, ENDPOINT + classes, with(arguments, WITHOUT_SECURITY, WITHOUT_GATEWAY));
  }

  private static String[] with(String[] arguments, String... others) {
    return Stream.concat(Arrays.stream(arguments), Arrays.stream(others)).toArray(String[]::new);
  }

  private Running startWithAll(String yaml, String classes, String... arguments) throws Exception {
    Path files = Files.createTempDirectory(folder, "application");
    Path configuration = Files.writeString(files.resolve("application.yaml"), yaml);
    Compiled compiled = Compiled.of(IMPORTS, APPLICATION + classes, files);
    SpringApplication application = new SpringApplication(
        new DefaultResourceLoader(compiled.loader()), compiled.type("Application"));
    ConfigurableApplicationContext context = application.run(with(
        arguments,
        "--spring.config.location=file:" + configuration,
        "--server.port=0",
        "--spring.main.banner-mode=off"));
    int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    return new Running(compiled, context, new Http(port));
  }

  private String yaml(String section) {
    return only(page.section(section).blocks("yaml"));
  }

  private String java(String section) {
    return only(page.section(section).blocks("java"));
  }

  private static String only(List<String> blocks) {
    assertThat(blocks).hasSize(1);
    return blocks.get(0);
  }

  @Test
  void theFirstRuleLimitsAnEndpoint() throws Exception {
    try (Running running = start(yaml("Limit an endpoint"), STOPPED_CLOCK)) {
      Http http = running.http;
      assertThat(http.statuses(150, "GET", "/api/users", "X-Api-Key", "one"))
          .isEqualTo(Map.of(200, 100, 429, 50));
      assertThat(http.statuses(10, "GET", "/api/users", "X-Api-Key", "two"))
          .isEqualTo(Map.of(200, 10));
      assertThat(http.statuses(150, "GET", "/other")).isEqualTo(Map.of(200, 150));
      HttpResponse<String> denial = http.send("GET", "/api/users", "X-Api-Key", "one");
      assertThat(denial.headers().map())
          .containsKeys("retry-after", "ratelimit", "ratelimit-policy")
          .containsEntry("content-type", List.of("application/problem+json"));
    }
  }

  @Test
  void theStarterIsTheOneThatIsPublished() throws Exception {
    String dependency = only(page.section("Limit an endpoint").blocks("xml"));
    String bom = Files.readString(Path.of("..", "bom", "pom.xml"));
    assertThat(bom)
        .contains("<artifactId>tidegate-spring-boot-starter</artifactId>")
        .contains("<version>0.1.0-SNAPSHOT</version>");
    assertThat(dependency)
        .contains("<artifactId>tidegate-spring-boot-starter</artifactId>")
        .contains("<version>0.1.0-SNAPSHOT</version>");
  }

  @Test
  void rulesLimitByAddressHeaderCostAndCondition() throws Exception {
    try (Running running = start(yaml("Rules"), STOPPED_CLOCK)) {
      Http http = running.http;
      assertThat(http.statuses(8, "POST", "/login", "X-Forwarded-For", "192.0.2.1"))
          .isEqualTo(Map.of(200, 5, 429, 3));
      assertThat(http.statuses(8, "POST", "/login", "X-Forwarded-For", "192.0.2.2"))
          .isEqualTo(Map.of(200, 5, 429, 3));
      assertThat(http.statuses(60, "POST", "/reports/7", "X-Api-Key", "one"))
          .as("at a cost of 20")
          .isEqualTo(Map.of(200, 50, 429, 10));
      assertThat(http.statuses(70, "GET", "/any", "Cookie", "session=one"))
          .as("a shadow rule")
          .isEqualTo(Map.of(200, 70));
    }
  }

  @Test
  void expressionsUseBeans() throws Exception {
    try (Running running = start(yaml("Expressions"), java("Expressions"))) {
      Http http = running.http;
      assertThat(http.statuses(2, "GET", "/", "X-Api-Key", "acme-1")).isEqualTo(Map.of(200, 2));
      assertThat(http.statuses(2, "GET", "/", "X-Api-Key", "acme-2"))
          .isEqualTo(Map.of(200, 1, 429, 1));
      assertThat(http.statuses(5, "GET", "/"))
          .as("without the header, the expression throws")
          .isEqualTo(Map.of(200, 3, 429, 2));
    }
  }

  @Test
  void annotatedMethodsAreLimited() throws Exception {
    String controller = """
        @RestController
        class Calls {
          private final Mail mail;

          Calls(Mail mail) {
            this.mail = mail;
          }

          @GetMapping("/mail")
          String mail() {
            return mail.send("bob", "hello");
          }

          @GetMapping("/invoice")
          CompletableFuture<String> invoice() {
            return mail.invoice("acme");
          }
        }
        """;
    try (Running running = start("", java("Limit a method") + controller)) {
      Http http = running.http;
      for (int i = 0; i < 3; i++) {
        assertThat(http.send("GET", "/mail").body()).isEqualTo("sent");
      }
      assertThat(http.send("GET", "/mail").body()).isEqualTo("queued");
      assertThat(http.statuses(5, "GET", "/invoice")).isEqualTo(Map.of(200, 2, 429, 3));
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void aPlanChangesWithoutARestart() throws Exception {
    String rule = yaml("Limit an endpoint");
    try (Running running = start(rule, java("Limits per plan") + STOPPED_CLOCK)) {
      Http http = running.http;
      assertThat(http.statuses(101, "GET", "/api", "X-Api-Key", "one"))
          .isEqualTo(Map.of(200, 100, 429, 1));
      Object plans = running.context.getBean(running.classes.type("Plans"));
      var premium = plans.getClass().getSuperclass().getDeclaredField("premium");
      premium.setAccessible(true);
      ((Set<String>) premium.get(plans)).add("one");
      assertThat(http.statuses(101, "GET", "/api", "X-Api-Key", "one"))
          .isEqualTo(Map.of(200, 100, 429, 1));
    }
  }

  @Test
  void limitsAreSharedThroughRedisAndADatabase() throws Exception {
    try (RedisServer redis = RedisServer.start();
        MariaDbServer database = MariaDbServer.start()) {
      String yaml = yaml("Share limits between processes")
          .replace("redis://localhost:6379", redis.uri())
          .replace("jdbc:mariadb://localhost:3306/tidegate?user=root", database.jdbcUrl());
      try (Running running = start(yaml, "")) {
        assertThat(running.http.statuses(15, "GET", "/", "X-Api-Key", "one"))
            .isEqualTo(Map.of(200, 10, 429, 5));
      }
      assertThat(redis.call("KEYS", "tidegate:{eu:default:*")).isNotEmpty();
      assertThat(database.query("SELECT region, identifier, count FROM ratelimit_window_counts"))
          .containsExactly(List.of("eu", "one", "10"));
    }
  }

  @Test
  void rulesApplyBeforeAndAfterSpringSecurity() throws Exception {
    try (Running running = startWithAll(
        yaml("With Spring Security"),
        ENDPOINT + STOPPED_CLOCK,
        WITHOUT_GATEWAY,
        "--spring.security.user.name=alice",
        "--spring.security.user.password=secret")) {
      Http http = running.http;
      assertThat(http.statuses(8, "GET", "/", "Authorization", basic("alice:secret")))
          .isEqualTo(Map.of(200, 5, 429, 3));
      assertThat(http.statuses(15, "GET", "/", "Authorization", basic("alice:guess")))
          .as("8 of 20 attempts are used")
          .isEqualTo(Map.of(401, 12, 429, 3));
    }
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
  }

  @Test
  void theActuatorShowsRulesAndHealth() throws Exception {
    String yaml = yaml("Limit an endpoint") + yaml("Actuator and metrics");
    try (Running running = start(yaml, "", "--management.endpoint.health.show-details=always")) {
      Http http = running.http;
      http.statuses(3, "GET", "/api/users", "X-Api-Key", "one");
      assertThat(http.send("GET", "/actuator/health").body())
          .contains("\"tidegate\":{\"status\":\"UP\"", "\"limiter\":\"ok\"");
      assertThat(http.send("GET", "/actuator/tidegate").body())
          .contains("\"name\":\"api\"", "\"series\":1");
      assertThat(running.context.getBean(MeterRegistry.class).getMeters())
          .anySatisfy(meter -> assertThat(meter.getId().getTag("namespace")).isEqualTo("api"));
    }
  }

  @Test
  void theSameRulesLimitWebFlux() throws Exception {
    String yaml = yaml("Limit an endpoint");
    try (Running running = startWithAll(
        yaml,
        ENDPOINT + STOPPED_CLOCK,
        WITHOUT_SECURITY,
        "--spring.main.web-application-type=reactive")) {
      assertThat(running.http.statuses(150, "GET", "/api/users", "X-Api-Key", "one"))
          .isEqualTo(Map.of(200, 100, 429, 50));
    }
  }

  @Test
  void routesOfAGatewayAreLimited() throws Exception {
    String section = "Spring Cloud Gateway";
    try (Running service = start("", "")) {
      String yaml = yaml(section).replace(":9000", ":" + service.http.port());
      try (Running gateway = startWithAll(
          yaml,
          java(section) + STOPPED_CLOCK,
          WITHOUT_SECURITY,
          "--spring.main.web-application-type=reactive")) {
        Http http = gateway.http;
        assertThat(http.statuses(150, "GET", "/orders/7", "X-Api-Key", "one"))
            .isEqualTo(Map.of(200, 100, 429, 50));
        assertThat(http.statuses(2, "GET", "/orders/7")).as("no key").isEqualTo(Map.of(403, 2));
      }
    }
  }

  @Test
  void theTestOfThePageSucceeds() throws Exception {
    String classes = APPLICATION + java("Limit a method") + java("Test");
    try (Compiled compiled = Compiled.of(IMPORTS, classes, folder)) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(compiled.loader());
      System.setProperty(GATEWAY_ENABLED, "false");
      SummaryGeneratingListener summary = new SummaryGeneratingListener();
      try {
        LauncherFactory.create()
            .execute(
                LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(compiled.type("MailTest")))
                    .build(),
                summary);
      } finally {
        System.clearProperty(GATEWAY_ENABLED);
        thread.setContextClassLoader(before);
      }
      assertThat(summary.getSummary().getFailures())
          .extracting(TestExecutionSummary.Failure::getException)
          .isEmpty();
      assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(1);
    }
  }
}
