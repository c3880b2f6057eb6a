package io.tidegate.servlet;

import static jakarta.servlet.DispatcherType.ERROR;
import static jakarta.servlet.DispatcherType.FORWARD;
import static jakarta.servlet.DispatcherType.INCLUDE;
import static jakarta.servlet.DispatcherType.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.MissingKey;
import io.tidegate.rules.web.WebDecision;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The filter in a real Tomcat; the build runs these tests on two versions of it. */
class RateLimitFilterTest {

  private static final DispatcherType[] ALL = DispatcherType.values();

  private final RateLimiter limiter = RateLimiter.inMemory();
  private final AtomicInteger calls = new AtomicInteger();
  private TestServer server = new TestServer();

  private RateLimitFilter filter(WebRule... rules) {
    return RateLimitFilter.of(WebLimiter.builder(limiter).rules(rules).build());
  }

  private static WebRule.Builder perDay(String name, long limit) {
    return WebRule.named(name).limit(Limit.perDay(limit));
  }

  @AfterEach
  void stop() {
    server.close();
    limiter.close();
  }

  @Test
  void runsOnTheTomcatThatTheBuildNames() {
    assertThat(ServerInfo.getServerNumber()).startsWith(System.getProperty("tomcat.version"));
  }

  @Test
  void allowsUpToTheLimitThenAnswers429WithAProblem() {
    server
        .filter(filter(perDay("api", 1).build()), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    HttpResponse<String> first = server.get("/");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("hello");
    assertThat(first.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=1;w=86400");
    assertThat(first.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"api\";r=0;t=");
    HttpResponse<String> second = server.get("/");
    assertThat(second.statusCode()).isEqualTo(429);
    assertThat(second.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(second.headers().firstValue("RateLimit-Policy")).contains("\"api\";q=1;w=86400");
    assertThat(second.headers().firstValueAsLong("Retry-After").orElseThrow())
        .isBetween(1L, 2 * 86_400L);
    assertThat(second.body()).startsWith("{\"type\":").contains("\"violated-policies\":[\"api\"]");
    assertThat(calls).hasValue(1);
  }

  @Test
  void requestWithoutARequiredKeyIsForbidden() {
    WebRule rule = perDay("key", 5)
        .key(KeyFunction.header("X-Key"))
        .missingKey(MissingKey.DENY)
        .build();
    server
        .filter(filter(rule), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    HttpResponse<String> denied = server.get("/");
    assertThat(denied.statusCode()).isEqualTo(403);
    assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(denied.body()).contains("\"violated-policies\":[\"key\"]");
    assertThat(server.get("/", "X-Key", "a").statusCode()).isEqualTo(200);
  }

  @Test
  void exactlyTheLimitIsAllowedTo50Threads() throws Exception {
    server
        .filter(filter(perDay("api", 700).build()), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    ExecutorService threads = Executors.newFixedThreadPool(50);
    List<Future<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(threads.submit(() -> (int) IntStream.range(0, 20)
          .filter(each -> server.get("/").statusCode() == 200)
          .count()));
    }
    int allowed = 0;
    for (Future<Integer> answer : answers) {
      allowed += answer.get();
    }
    threads.shutdown();
    assertThat(allowed).isEqualTo(700);
    assertThat(calls).hasValue(700);
  }

  @Test
  void asynchronousRequestIsChargedOnce() {
    server
        .filter(filter(perDay("api", 10).build()), ALL)
        .servlet("/", TestServlets.dispatchedTwice(calls))
        .start();
    HttpResponse<String> answer = server.get("/");
    assertThat(answer.body()).isEqualTo("second, ASYNC");
    assertThat(answer.headers().allValues("RateLimit")).hasSize(1);
    assertThat(remaining(server.get("/"))).isEqualTo(8);
  }

  private static long remaining(HttpResponse<?> response) {
    String state = response.headers().firstValue("RateLimit").orElseThrow();
    return Long.parseLong(state.replaceAll(".*;r=(\\d+);.*", "$1"));
  }

  @Test
  void asynchronousRequestThatTimesOutIsChargedOnceWithItsErrorPage() {
    server
        .filter(filter(perDay("api", 10).build()), ALL)
        .servlet("/", TestServlets.timingOut())
        .servlet("/error", TestServlets.text("timed out", calls))
        .errorPage(500, "/error")
        .start();
    HttpResponse<String> answer = server.get("/");
    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("timed out");
    assertThat(remaining(server.get("/"))).isEqualTo(8);
  }

  @Test
  void errorPageIsNotCharged() {
    server
        .filter(filter(perDay("api", 10).build()), ALL)
        .servlet("/fail", TestServlets.of((request, response) -> response.sendError(404)))
        .servlet("/error", TestServlets.text("not found", calls))
        .errorPage(404, "/error")
        .start();
    HttpResponse<String> answer = server.get("/fail");
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("not found");
    assertThat(remaining(server.get("/fail"))).isEqualTo(8);
  }

  /** An error page is no request, even if the filter has not seen the request before. */
  @Test
  void filterForErrorsOnlyChargesNothing() {
    server
        .filter(filter(perDay("api", 0).build()), ERROR)
        .servlet("/fail", TestServlets.of((request, response) -> response.sendError(404)))
        .servlet("/error", TestServlets.text("not found", calls))
        .errorPage(404, "/error")
        .start();
    assertThat(server.get("/fail").body()).isEqualTo("not found");
  }

  @Test
  void forwardAndIncludeAreNotCharged() {
    server
        .filter(filter(perDay("api", 10).build()), ALL)
        .servlet("/target", TestServlets.text("target", calls))
        .servlet(
            "/forward",
            TestServlets.of((request, response) ->
                request.getRequestDispatcher("/target").forward(request, response)))
        .servlet("/include", TestServlets.of((request, response) -> {
          request.getRequestDispatcher("/target").include(request, response);
          request.getRequestDispatcher("/target").include(request, response);
        }))
        .start();
    assertThat(server.get("/forward").body()).isEqualTo("target");
    HttpResponse<String> included = server.get("/include");
    assertThat(included.body()).isEqualTo("targettarget");
    assertThat(remaining(included)).isEqualTo(8);
  }

  /** The path of the rule is that of the target then. */
  @Test
  void filterForForwardsLimitsTheTarget() {
    server
        .filter(filter(perDay("api", 1).path("/target").build()), FORWARD, INCLUDE)
        .servlet("/target", TestServlets.text("target", calls))
        .servlet(
            "/forward",
            TestServlets.of((request, response) ->
                request.getRequestDispatcher("/target").forward(request, response)))
        .start();
    assertThat(server.get("/forward").statusCode()).isEqualTo(200);
    assertThat(server.get("/forward").statusCode()).isEqualTo(429);
    assertThat(server.get("/target").statusCode()).isEqualTo(200);
  }

  @Test
  void decisionsAreAttributesOfTheRequest() {
    AtomicReference<Object> web = new AtomicReference<>();
    AtomicReference<Object> binding = new AtomicReference<>();
    server
        .filter(filter(perDay("a", 10).build(), perDay("b", 5).path("/b/**").build()), REQUEST)
        .servlet("/", TestServlets.of((request, response) -> {
          web.set(request.getAttribute(RateLimitFilter.WEB_DECISION));
          binding.set(request.getAttribute(RateLimitFilter.DECISION));
        }))
        .start();
    server.get("/b");
    assertThat(((WebDecision) web.get()).decisions()).hasSize(2);
    assertThat(((Decision) binding.get()).limit()).isEqualTo(5);
  }

  @Test
  void requestThatNoRuleMatchesHasNoBindingDecision() {
    AtomicReference<Object> binding = new AtomicReference<>("unset");
    server
        .filter(filter(perDay("b", 5).path("/b/**").build()), REQUEST)
        .servlet(
            "/",
            TestServlets.of(
                (request, response) -> binding.set(request.getAttribute(RateLimitFilter.DECISION))))
        .start();
    assertThat(server.get("/").headers().map()).doesNotContainKey("ratelimit");
    assertThat(binding).hasNullValue();
  }

  @Test
  void twoFiltersDecideBothAndShowBoth() {
    server
        .filter(filter(perDay("first", 3).build()), ALL)
        .filter(filter(perDay("second", 1).build()), ALL)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    assertThat(server.get("/").headers().allValues("RateLimit-Policy"))
        .containsExactly("\"first\";q=3;w=86400", "\"second\";q=1;w=86400");
    assertThat(server.get("/").body()).contains("\"violated-policies\":[\"second\"]");
    assertThat(server.get("/").body()).contains("\"violated-policies\":[\"second\"]");
    assertThat(server.get("/").body()).contains("\"violated-policies\":[\"first\"]");
  }

  @ParameterizedTest
  @CsvSource({
    "/app/api/users, /api/users",
    "/app/api/users/, /api/users/",
    "/app/api/users;jsessionid=abc, /api/users",
    "/app/api;v=1/users, /api/users",
    "/app/api//users, /api/users",
    "/app//api/users, /api/users",
    "/app/x/../api/users, /api/users",
    "/app/./api/users, /api/users",
    "/app/%61pi/users, /api/users",
    "/app/api/us%C3%A9rs, /api/usérs",
    "/app/api/users?x=/other, /api/users",
    "/app/, /"
  })
  void pathIsThatWhichTheContainerDispatches(String sent, String path) throws IOException {
    List<String> seen = new ArrayList<>();
    server.close();
    server = new TestServer("/app");
    WebRule rule = perDay("seen", 10)
        .key(request -> {
          seen.add(request.path());
          return "all";
        })
        .build();
    server
        .filter(filter(rule), REQUEST)
        .servlet("/api/*", TestServlets.text("api", calls))
        .servlet("/", TestServlets.text("default", calls))
        .start();
    assertThat(raw("GET " + sent + " HTTP/1.1")).startsWith("HTTP/1.1 200");
    assertThat(seen).containsExactly(path);
  }

  /** A framework may match the path that was sent, such as Spring MVC. */
  @ParameterizedTest
  @CsvSource({
    "/app/api/%2e%2e/x",
    "/app/api/../x",
    "/app/%61pi/%2E%2E/x",
    "/app/api;v=1/../x",
    "/app/x/../api/y",
    "/app//api/../x",
    "/app/api+/../api/a+b"
  })
  void pathThatWasSentIsLimitedToo(String sent) throws IOException {
    server.close();
    server = new TestServer("/app");
    server
        .filter(filter(perDay("api", 0).path("/api/**").build()), REQUEST)
        .servlet("/", TestServlets.text("default", calls))
        .start();
    assertThat(raw("GET " + sent + " HTTP/1.1")).startsWith("HTTP/1.1 429");
    assertThat(raw("GET /app/%61pis/../x HTTP/1.1")).startsWith("HTTP/1.1 200");
  }

  /** Tomcat rejects an encoded slash unless it is configured to accept it. */
  @Test
  void encodedSlashDoesNotEvadeALimit() throws IOException {
    server
        .filter(filter(perDay("api", 0).path("/api/users").build()), REQUEST)
        .servlet("/", TestServlets.text("default", calls))
        .start();
    assertThat(raw("GET /api%2Fusers HTTP/1.1")).startsWith("HTTP/1.1 400");
    server.connector().setEncodedSolidusHandling("decode");
    assertThat(raw("GET /api%2Fusers HTTP/1.1")).startsWith("HTTP/1.1 429");
  }

  /** Sends a request as it is; the client of the JDK would normalize its path. */
  private String raw(String requestLine) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write((requestLine + "\r\nHost: localhost\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void headIsLimitedLikeGet() throws IOException {
    server
        .filter(filter(perDay("api", 1).methods("GET").build()), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    assertThat(raw("HEAD / HTTP/1.1")).startsWith("HTTP/1.1 200");
    String denied = raw("HEAD / HTTP/1.1");
    assertThat(denied).startsWith("HTTP/1.1 429").endsWith("\r\n\r\n");
  }

  @Test
  void keysAreThoseOfTheServletRequest() {
    List<String> seen = new ArrayList<>();
    WebRule rule = perDay("seen", 10)
        .key(request -> {
          seen.add(request.header("X-Key"));
          seen.add(request.headers("X-Key").toString());
          seen.add(request.headers("X-None").toString());
          seen.add(request.cookie("session"));
          seen.add(request.cookie("none"));
          seen.add(request.remoteAddress());
          seen.add(request.principal());
          seen.add(request.method());
          seen.add(request.unwrap(HttpServletRequest.class).getProtocol());
          return "all";
        })
        .build();
    Filter authentication = (request, response, chain) -> {
      HttpServletRequest http = (HttpServletRequest) request;
      chain.doFilter(
          new HttpServletRequestWrapper(http) {
            @Override
            public Principal getUserPrincipal() {
              return http.getHeader("X-User") == null ? null : () -> http.getHeader("X-User");
            }
          },
          response);
    };
    server
        .filter(authentication, REQUEST)
        .filter(filter(rule), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    server.get("/", "X-Key", "a", "X-Key", "b", "Cookie", "x=1; session=s1", "X-User", "ann");
    assertThat(seen)
        .containsExactly("a", "[a, b]", "[]", "s1", null, "127.0.0.1", "ann", "GET", "HTTP/1.1");
    seen.clear();
    server.get("/");
    assertThat(seen)
        .containsExactly(null, "[]", "[]", null, null, "127.0.0.1", null, "GET", "HTTP/1.1");
  }

  @Test
  void responseThatIsCommittedIsLeftAsItIsAndTheHandlerDoesNotRun() {
    Filter committing = (request, response, chain) -> {
      response.getWriter().write("early");
      response.flushBuffer();
      chain.doFilter(request, response);
    };
    server
        .filter(committing, REQUEST)
        .filter(filter(perDay("api", 0).build()), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    HttpResponse<String> answer = server.get("/");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("early");
    assertThat(calls).hasValue(0);
  }

  @Test
  void textThatAnEarlierFilterHasBufferedIsReplacedByTheProblem() {
    Filter writing = (request, response, chain) -> {
      response.getWriter().write("early");
      chain.doFilter(request, response);
    };
    server
        .filter(writing, REQUEST)
        .filter(filter(perDay("api", 0).build()), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    HttpResponse<String> answer = server.get("/");
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.body()).startsWith("{\"type\":");
  }
}
