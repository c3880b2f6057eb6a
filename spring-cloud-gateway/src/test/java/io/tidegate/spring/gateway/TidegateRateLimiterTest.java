package io.tidegate.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.LimitProvider;
import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testing.InMemoryOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.event.RefreshRoutesEvent;
import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.cloud.gateway.handler.predicate.PredicateDefinition;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionWriter;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Mono;

/** A real gateway in front of a real server, with a check for blocked event loops. */
class TidegateRateLimiterTest {

  private static final String ROUTES = "spring.cloud.gateway.server.webflux.routes";

  /** Answered by the server behind the gateway, by path. */
  private static final Map<String, AtomicInteger> ANSWERED =
      new java.util.concurrent.ConcurrentHashMap<>();

  private static HttpServer backend;
  private static ExecutorService threads;
  private static TestApplication gateway;
  private static InMemoryOrigin origin;

  @BeforeAll
  static void start() throws IOException {
    backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
    threads = Executors.newFixedThreadPool(4);
    backend.setExecutor(threads);
    backend.createContext("/", exchange -> {
      ANSWERED
          .computeIfAbsent(exchange.getRequestURI().getPath(), path -> new AtomicInteger())
          .incrementAndGet();
      byte[] body = "backend".getBytes(java.nio.charset.StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    backend.start();
    BlockHound.builder()
        .loadIntegrations()
        // Locks that are held for the time of a memory access, by a counter and by Netty 4.2.
        .allowBlockingCallsInside("io.tidegate.local.SeriesCounter", "pause")
        .allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate")
        .install();
    List<String> properties = new ArrayList<>(List.of("test.backend=" + backendUri()));
    route(properties, 0, "items", "limit=3");
    route(properties, 1, "many", "limit=100", "window=1h");
    route(properties, 2, "shared-1", "limit=5", "name=shared");
    route(properties, 3, "shared-2", "limit=5", "name=shared");
    route(properties, 4, "heavy", "limit=10", "cost=4");
    route(properties, 5, "waits", "limit=5");
    route(properties, 6, "expression", "limit=#{1 + 1}");
    gateway =
        TestApplication.start(Front.WEBFLUX, Application.class, properties.toArray(String[]::new));
    origin = gateway.context().getBean(InMemoryOrigin.class);
    get("/items", "warm up"); // loads classes, which blocks
  }

  @AfterAll
  static void stop() {
    gateway.close();
    backend.stop(0);
    threads.shutdownNow();
  }

  private static String backendUri() {
    return "http://127.0.0.1:" + backend.getAddress().getPort();
  }

  /** Adds a route for the path of its name. */
  private static void route(List<String> properties, int index, String id, String... args) {
    String route = ROUTES + "[" + index + "]";
    properties.addAll(List.of(
        route + ".id=" + id,
        route + ".uri=" + backendUri(),
        route + ".predicates[0]=Path=/" + id,
        route + ".filters[0].name=RequestRateLimiter"));
    for (String arg : args) {
      properties.add(route + ".filters[0].args.tidegate-rate-limiter." + arg);
    }
  }

  private static HttpResponse<String> get(String path, String user) {
    return gateway.get(path, "X-User", user);
  }

  private static long allowed(int requests, String path, String user) {
    return gateway.statuses(requests, path, "X-User", user).stream()
        .filter(status -> status == 200)
        .count();
  }

  @Test
  void limitsEachKeyOfARouteByItself() {
    assertThat(allowed(5, "/items", "ann")).isEqualTo(3);
    assertThat(allowed(5, "/items", "bob")).isEqualTo(3);
  }

  @Test
  void responsesHaveHeadersAndDenialsSayWhenToRetry() {
    HttpResponse<String> allowed = get("/items", "eve");
    assertThat(allowed.body()).isEqualTo("backend");
    assertThat(allowed.headers().firstValue("RateLimit-Policy")).contains("\"items\";q=3;w=60");
    assertThat(allowed.headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"items\";r=2;t=");
    assertThat(allowed.headers().firstValue("Retry-After")).isEmpty();
    allowed(2, "/items", "eve");
    HttpResponse<String> denied = get("/items", "eve");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(denied.headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"items\";r=0;t=");
    assertThat(Long.parseLong(denied.headers().firstValue("Retry-After").orElseThrow()))
        .isBetween(1L, 120L);
  }

  @Test
  void admitsExactlyTheLimitOfConcurrentRequestsAndBlocksNoEventLoop() {
    assertThat(TestApplication.load(50, 10, i -> get("/many", "all of them")))
        .isEqualTo(Map.of(200, 100, 429, 400));
    assertThat(ANSWERED.get("/many")).hasValue(100);
  }

  @Test
  void routesWithTheSameNameShareTheirCounts() {
    assertThat(allowed(3, "/shared-1", "ann")).isEqualTo(3);
    assertThat(allowed(3, "/shared-2", "ann")).isEqualTo(2);
    assertThat(allowed(3, "/shared-1", "ann")).isZero();
  }

  @Test
  void requestTakesItsCost() {
    assertThat(allowed(5, "/heavy", "ann")).isEqualTo(2);
  }

  @Test
  void limitProviderIsAskedWithTheNameOfTheLimit() {
    assertThat(allowed(20, "/items", "premium")).isEqualTo(12);
    assertThat(allowed(20, "/shared-1", "premium")).isEqualTo(5);
  }

  @Test
  void argumentsMayBeExpressions() {
    assertThat(allowed(5, "/expression", "ann")).isEqualTo(2);
  }

  @Test
  void routesInJavaAreLimited() {
    assertThat(allowed(9, "/java", "ann")).isEqualTo(4);
    assertThat(allowed(9, "/java", "bob")).isEqualTo(4);
  }

  @Test
  void waitsForTheOriginWithoutAThread() throws Exception {
    origin.hold();
    CompletableFuture<HttpResponse<String>> response =
        CompletableFuture.supplyAsync(() -> get("/waits", "cold"), threads);
    try {
      while (origin.reads().stream()
          .noneMatch(read -> read.series().identifier().equals("cold"))) {
        assertThat(response).isNotDone();
        Thread.onSpinWait();
      }
    } finally {
      origin.release();
    }
    assertThat(response.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void invalidLimitOfANewRouteIsReportedAndTheOldOneStays() throws Exception {
    RouteDefinition route = new RouteDefinition();
    route.setId("dynamic");
    route.setUri(URI.create(backendUri()));
    route.setPredicates(List.of(new PredicateDefinition("Path=/dynamic")));
    assertThat(refreshWith(route, "2")).isNull();
    assertThat(allowed(5, "/dynamic", "ann")).isEqualTo(2);
    assertThat(refreshWith(route, "-5"))
        .hasStackTraceContaining(
            "route dynamic.tidegate-rate-limiter.limit = \"-5\": Limit must be between 0 and");
    assertThat(allowed(5, "/dynamic", "bob")).isEqualTo(2);
    assertThat(refreshWith(route, "4")).isNull();
    assertThat(allowed(5, "/dynamic", "cat")).isEqualTo(4);
  }

  private static Throwable refreshWith(RouteDefinition route, String limit) throws Exception {
    FilterDefinition filter = new FilterDefinition();
    filter.setName("RequestRateLimiter");
    filter.setArgs(Map.of("tidegate-rate-limiter.limit", limit));
    route.setFilters(List.of(filter));
    CompletableFuture<RefreshRoutesResultEvent> result = new CompletableFuture<>();
    gateway.context().getBean(Results.class).next = result;
    gateway
        .context()
        .getBean(RouteDefinitionWriter.class)
        .save(Mono.just(route))
        .block();
    gateway.context().publishEvent(new RefreshRoutesEvent(route));
    return result.get(10, TimeUnit.SECONDS).getThrowable();
  }

  static class Results implements ApplicationListener<RefreshRoutesResultEvent> {

    volatile CompletableFuture<RefreshRoutesResultEvent> next = new CompletableFuture<>();

    @Override
    public void onApplicationEvent(RefreshRoutesResultEvent event) {
      next.complete(event);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {

    @Bean
    KeyResolver user() {
      return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-User"));
    }

    @Bean
    LimitProvider plans() {
      return (rule, key) ->
          rule.equals("items") && key.equals("premium") ? Limit.perMinute(12) : null;
    }

    @Bean
    InMemoryOrigin origin() {
      return new InMemoryOrigin();
    }

    @Bean
    Results results() {
      return new Results();
    }

    @Bean
    RouteLocator java(RouteLocatorBuilder routes, Environment environment) {
      return routes
          .routes()
          .route(
              "java",
              route -> route
                  .path("/java")
                  .filters(filters -> filters
                      .requestRateLimiter()
                      .rateLimiter(TidegateRateLimiter.class, limit -> limit.setLimit(4L))
                      .configure(config -> {}))
                  .uri(environment.getRequiredProperty("test.backend")))
          .build();
    }
  }
}
