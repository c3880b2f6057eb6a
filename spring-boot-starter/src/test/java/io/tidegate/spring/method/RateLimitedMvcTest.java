package io.tidegate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.test.AutoConfigureTidegate;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testing.VirtualTime;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import reactor.core.publisher.Mono;

/** Limited methods behind a real Tomcat, with Spring Security. */
class RateLimitedMvcTest {

  private static TestApplication client;

  @BeforeAll
  static void start() {
    client = TestApplication.start(Front.MVC, WithCatchAll.class, "test.security=true");
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Test
  void denialIsAProblemWithHeadersDespiteAHandlerOfAllExceptions() {
    assertThat(client.get("/items/1").body()).isEqualTo("item 1");
    HttpResponse<String> denied = client.get("/items/1");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"items\";q=1;w=60");
    assertThat(denied.headers().firstValue("RateLimit").orElseThrow())
        .matches("\"items\";r=0;t=\\d+");
    assertThat(denied.headers().firstValue("Retry-After").orElseThrow()).matches("\\d+");
    assertThat(denied.body())
        .startsWith("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"")
        .contains("\"status\":429", "\"violated-policies\":[\"items\"]");
    client.context().getBean(VirtualTime.class).advance(Duration.ofMinutes(2));
    assertThat(client.get("/items/1").statusCode()).isEqualTo(200);
  }

  @Test
  void otherExceptionsAreHandledByTheApplication() {
    assertThat(client.get("/broken").statusCode()).isEqualTo(500);
    assertThat(client.get("/broken").body()).isEqualTo("handled: broken");
  }

  @Test
  void asynchronousControllersAreLimited() {
    for (String path : new String[] {"/stage", "/mono"}) {
      assertThat(client.get(path).statusCode()).describedAs(path).isEqualTo(200);
      assertThat(client.get(path).statusCode()).describedAs(path).isEqualTo(429);
      assertThat(client.get(path).headers().firstValue("Retry-After")).isPresent();
    }
  }

  @Test
  void functionalEndpointsAnswer429() {
    assertThat(client.get("/functional").statusCode()).isEqualTo(200);
    assertThat(client.get("/functional").statusCode()).isEqualTo(429);
  }

  @Test
  void principalIsTheAuthenticatedUser() {
    assertThat(client.get("/mine", "Authorization", basic("ann")).statusCode()).isEqualTo(200);
    assertThat(client.get("/mine", "Authorization", basic("ann")).statusCode()).isEqualTo(429);
    assertThat(client.get("/mine", "Authorization", basic("bob")).statusCode()).isEqualTo(200);
    assertThat(client.get("/mine").statusCode()).isEqualTo(200); // anonymous calls share a count
    assertThat(client.get("/mine").statusCode()).isEqualTo(429);
  }

  @Test
  void admitsExactlyTheLimitOfConcurrentRequests() throws Exception {
    assertThat(TestApplication.load(50, 10, i -> client.get("/many")))
        .isEqualTo(Map.of(200, 100, 429, 400));
  }

  @Test
  void handlerOfTheApplicationForDenialsWins() {
    try (TestApplication other =
        TestApplication.start(Front.MVC, WithOwnHandler.class, "test.security=true")) {
      other.get("/items/1");
      HttpResponse<String> denied = other.get("/items/1");
      assertThat(denied.statusCode()).isEqualTo(503);
      assertThat(denied.body()).isEqualTo("own: items");
    }
  }

  @Test
  void headersAreThoseOfTheProperty() {
    try (TestApplication other = TestApplication.start(
        Front.MVC, Application.class, "test.security=true", "tidegate.headers=draft-06")) {
      other.get("/items/1");
      HttpResponse<String> denied = other.get("/items/1");
      assertThat(denied.headers().firstValue("RateLimit-Limit")).contains("1");
      assertThat(denied.headers().firstValue("RateLimit-Policy")).isEmpty();
    }
    try (TestApplication other = TestApplication.start(
        Front.MVC, Application.class, "test.security=true", "tidegate.headers=none")) {
      other.get("/items/1");
      HttpResponse<String> denied = other.get("/items/1");
      assertThat(denied.headers().map().keySet()).noneMatch(name -> name.startsWith("ratelimit"));
      assertThat(denied.headers().firstValue("Retry-After")).isPresent();
    }
  }

  static String basic(String user) {
    return "Basic "
        + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
  }

  @RestController
  static class Controller {

    private final Items items;

    Controller(Items items) {
      this.items = items;
    }

    @GetMapping("/items/{id}")
    String item(@PathVariable("id") String id) {
      return items.find(id);
    }

    @GetMapping("/broken")
    String broken() {
      throw new IllegalStateException("broken");
    }

    @RateLimited(name = "stage", limit = 1)
    @GetMapping("/stage")
    public CompletableFuture<String> stage() {
      return CompletableFuture.supplyAsync(() -> "stage");
    }

    @RateLimited(name = "mono", limit = 1)
    @GetMapping("/mono")
    public Mono<String> mono() {
      return Mono.just("mono");
    }

    @RateLimited(name = "mine", key = "principal", limit = 1)
    @GetMapping("/mine")
    public String mine() {
      return "mine";
    }

    @RateLimited(name = "many", limit = 100, window = "1h")
    @GetMapping("/many")
    public String many() {
      return "many";
    }
  }

  static class Items {

    @RateLimited(name = "items", key = "#id", limit = 1)
    public String find(String id) {
      return "item " + id;
    }
  }

  @ControllerAdvice
  static class CatchAll {

    @ExceptionHandler
    ResponseEntity<String> handle(Exception e) {
      return ResponseEntity.internalServerError().body("handled: " + e.getMessage());
    }
  }

  @ControllerAdvice
  static class OwnHandler {

    @ExceptionHandler(RateLimitedException.class)
    ResponseEntity<String> handle(RateLimitedException e) {
      return ResponseEntity.status(503).body("own: " + e.decisions().get(0).policy());
    }

    @ExceptionHandler
    ResponseEntity<String> handle(Exception e) {
      return ResponseEntity.internalServerError().body("handled: " + e.getMessage());
    }
  }

  @Import({Application.class, OwnHandler.class})
  static class WithOwnHandler {}

  @Import({Application.class, CatchAll.class})
  static class WithCatchAll {}

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @AutoConfigureTidegate
  @Import({Controller.class, Items.class})
  static class Application {

    @Bean
    RouterFunction<ServerResponse> functional(Items items) {
      return RouterFunctions.route()
          .GET("/functional", request -> ServerResponse.ok().body(items.find("functional")))
          .build();
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    UserDetailsService users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("ann").password("{noop}secret").build(),
          User.withUsername("bob").password("{noop}secret").build());
    }
  }
}
