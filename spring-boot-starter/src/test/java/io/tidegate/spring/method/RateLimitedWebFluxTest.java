package io.tidegate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testing.InMemoryOrigin;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Limited methods behind a real Netty, with Spring Security and a check for blocked event loops.
 */
class RateLimitedWebFluxTest {

  private static TestApplication client;
  private static InMemoryOrigin origin;

  @BeforeAll
  static void start() {
    BlockHound.builder()
        .loadIntegrations()
        // Locks that are held for the time of a memory access, by a counter and by Netty 4.2.
        .allowBlockingCallsInside("io.tidegate.local.SeriesCounter", "pause")
        .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate")
        .install();
    client = TestApplication.start(Front.WEBFLUX, Application.class, "test.security=true");
    origin = client.context().getBean(InMemoryOrigin.class);
    client.get("/many"); // classes are loaded, which blocks
  }

  @AfterAll
  static void stop() {
    client.close();
  }

  @Test
  void denialIsAProblemWithHeaders() {
    assertThat(client.get("/mono").body()).isEqualTo("mono");
    HttpResponse<String> denied = client.get("/mono");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"mono\";q=1;w=60");
    assertThat(denied.headers().firstValue("Retry-After")).isPresent();
    assertThat(denied.body()).contains("\"violated-policies\":[\"mono\"]");
  }

  @Test
  void fluxIsLimited() {
    assertThat(client.get("/flux").body()).isEqualTo("ab");
    assertThat(client.get("/flux").statusCode()).isEqualTo(429);
  }

  @Test
  void functionalEndpointsAnswer429() {
    assertThat(client.get("/functional").statusCode()).isEqualTo(200);
    assertThat(client.get("/functional").statusCode()).isEqualTo(429);
  }

  @Test
  void principalIsTheAuthenticatedUserOfTheSubscriber() {
    assertThat(client
            .get("/mine", "Authorization", RateLimitedMvcTest.basic("ann"))
            .statusCode())
        .isEqualTo(200);
    assertThat(client
            .get("/mine", "Authorization", RateLimitedMvcTest.basic("ann"))
            .statusCode())
        .isEqualTo(429);
    assertThat(client
            .get("/mine", "Authorization", RateLimitedMvcTest.basic("bob"))
            .statusCode())
        .isEqualTo(200);
    assertThat(client.get("/mine").statusCode()).isEqualTo(200); // anonymous calls share a count
    assertThat(client.get("/mine").statusCode()).isEqualTo(429);
  }

  @Test
  void admitsExactlyTheLimitOfConcurrentRequestsAndBlocksNoEventLoop() throws Exception {
    assertThat(TestApplication.load(50, 10, i -> client.get("/many")))
        .isEqualTo(Map.of(200, 99, 429, 401));
  }

  @Test
  void waitsForTheOriginWithoutAThread() throws Exception {
    origin.hold();
    Thread answer = new Thread(() -> {
      while (origin.reads().stream()
          .noneMatch(read -> read.series().identifier().equals("waits"))) {
        Thread.onSpinWait();
      }
      origin.release();
    });
    answer.start();
    try {
      assertThat(client.get("/waits").body()).isEqualTo("waits"); // 500 if an event loop blocked
    } finally {
      origin.release();
    }
    answer.join();
  }

  @Test
  void blockedEventLoopWouldBeReported() {
    assertThat(client.get("/blocks").statusCode()).isEqualTo(500);
  }

  @RestController
  static class Controller {

    @RateLimited(name = "mono", limit = 1)
    @GetMapping("/mono")
    public Mono<String> mono() {
      return Mono.just("mono");
    }

    @RateLimited(name = "flux", limit = 1)
    @GetMapping("/flux")
    public Flux<String> flux() {
      return Flux.just("a", "b");
    }

    @RateLimited(name = "mine", key = "principal", limit = 1)
    @GetMapping("/mine")
    public Mono<String> mine() {
      return Mono.just("mine");
    }

    @RateLimited(name = "many", limit = 100, window = "1h")
    @GetMapping("/many")
    public Mono<String> many() {
      return Mono.just("many");
    }

    @RateLimited(name = "waits", key = "'waits'", limit = 5)
    @GetMapping("/waits")
    public Mono<String> waits() {
      return Mono.just("waits");
    }

    @GetMapping("/blocks")
    public Mono<String> blocks() throws InterruptedException {
      Thread.sleep(1); // on the event loop
      return Mono.just("blocks");
    }
  }

  static class Service {

    @RateLimited(name = "functional", limit = 1)
    public Mono<String> call() {
      return Mono.just("functional");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableWebFluxSecurity
  @Import({Controller.class, Service.class})
  static class Application {

    @Bean
    InMemoryOrigin origin() {
      return new InMemoryOrigin();
    }

    @Bean
    RouterFunction<ServerResponse> functional(Service service) {
      return RouterFunctions.route()
          .GET("/functional", request -> ServerResponse.ok().body(service.call(), String.class))
          .build();
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.authorizeExchange(requests -> requests.anyExchange().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(
          User.withUsername("ann").password("{noop}secret").build(),
          User.withUsername("bob").password("{noop}secret").build());
    }
  }
}
