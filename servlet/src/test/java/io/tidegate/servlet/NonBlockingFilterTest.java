package io.tidegate.servlet;

import static jakarta.servlet.DispatcherType.ASYNC;
import static jakarta.servlet.DispatcherType.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Requests that wait for the origin. Time does not pass, so a held origin is waited for as long as
 * a test likes.
 */
class NonBlockingFilterTest {

  private static final DispatcherType[] BOTH = {REQUEST, ASYNC};

  private final VirtualTime time = VirtualTime.startingAt(Instant.now());
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
  private final WebLimiter web = WebLimiter.builder(limiter)
      .clock(time)
      .rules(WebRule.named("api")
          .path("/api/**")
          .key(KeyFunction.header("X-Key").orElse(KeyFunction.constant("all")))
          .limit(Limit.perDay(5))
          .build())
      .build();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger returned = new AtomicInteger();
  private final TestServer server = new TestServer()
      .filter(
          (request, response, chain) -> {
            chain.doFilter(request, response);
            returned.incrementAndGet();
          },
          REQUEST);

  @AfterEach
  void stop() {
    origin.release();
    server.close();
    limiter.close();
  }

  private void startWith(Filter filter) {
    server.filter(filter, BOTH).servlet("/", TestServlets.text("hello", calls)).start();
  }

  /** Uses up the limit at the origin, through another node. */
  private void exhaust() {
    try (RateLimiter other =
        RateLimiter.builder().clock(time).scheduler(time).origin(origin).build()) {
      other.tryAcquire(LimitRequest.of("default", "api", "all", Limit.perDay(5)).withCost(5));
    }
  }

  /** Waits until so many requests have left their thread, or have ended. */
  private void awaitReturned(int requests) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (returned.get() < requests) {
      assertThat(System.nanoTime()).as("returned: %s", returned).isLessThan(deadline);
      Thread.sleep(1);
    }
  }

  /** Waits until a request waits for the origin, and checks that it keeps its thread. */
  private void awaitBlocked() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (origin.reads().isEmpty()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(1);
    }
    Thread.sleep(100); // much longer than a request needs to leave its thread
    assertThat(returned).hasValue(0);
  }

  private static int status(CompletableFuture<HttpResponse<String>> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS).statusCode();
  }

  /** One thread serves other requests while a request waits. */
  @Test
  void noThreadWaitsForTheOrigin() throws Exception {
    server.connector().setProperty("maxThreads", "1");
    server.connector().setProperty("minSpareThreads", "1");
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    for (int i = 0; i < 5; i++) {
      assertThat(server.get("/other").statusCode()).isEqualTo(200);
    }
    assertThat(waiting).isNotDone();
    origin.release();
    HttpResponse<String> answer = waiting.get(10, TimeUnit.SECONDS);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("hello");
    assertThat(answer.headers().allValues("RateLimit-Policy"))
        .containsExactly("\"api\";q=5;w=86400");
    assertThat(answer.headers().allValues("RateLimit")).hasSize(1);
    assertThat(calls).hasValue(6);
  }

  @Test
  void denialThatArrivesLateIsAnsweredWithAProblem() throws Exception {
    exhaust();
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    HttpResponse<String> answer = waiting.get(10, TimeUnit.SECONDS);
    assertThat(answer.statusCode()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(answer.headers().firstValue("RateLimit")).isPresent();
    assertThat(answer.body()).contains("\"violated-policies\":[\"api\"]");
    assertThat(calls).hasValue(0);
  }

  /** Without a mapping for asynchronous dispatches, the filter is not called a second time. */
  @Test
  void mappingForRequestsOnlyLimitsToo() throws Exception {
    server
        .filter(RateLimitFilter.nonBlocking(web), REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    exhaust();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    assertThat(status(waiting)).isEqualTo(429);
    assertThat(calls).hasValue(0);
  }

  @Test
  void manyRequestsThatWaitAreCountedExactly() throws Exception {
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      waiting.add(server.getLater("/api"));
    }
    awaitReturned(30);
    origin.release();
    int allowed = 0;
    for (CompletableFuture<HttpResponse<String>> each : waiting) {
      allowed += status(each) == 200 ? 1 : 0;
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(calls).hasValue(5);
  }

  @Test
  void asynchronousHandlerBehindAWaitIsChargedOnce() throws Exception {
    server
        .filter(RateLimitFilter.nonBlocking(web), BOTH)
        .servlet("/", TestServlets.dispatchedTwice(calls))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    assertThat(waiting.get(10, TimeUnit.SECONDS).body()).isEqualTo("second, ASYNC");
    assertThat(server.get("/api").headers().firstValue("RateLimit").orElseThrow())
        .startsWith("\"api\";r=3;");
  }

  /** Many frameworks have filters that ignore asynchronous dispatches. */
  @Test
  void filtersBehindSeeARequestThatWaitedAsANewOne() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    server
        .filter(RateLimitFilter.nonBlocking(web), BOTH)
        .filter(
            (request, response, chain) -> {
              seen.add("filter " + request.getDispatcherType());
              chain.doFilter(request, response);
            },
            BOTH)
        .servlet("/", TestServlets.dispatchedTwice(calls))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    assertThat(status(waiting)).isEqualTo(200);
    assertThat(seen).containsExactly("filter REQUEST", "filter ASYNC");
  }

  /** The reason why the filter blocks by default. */
  @Test
  void containerSkipsFiltersForRequestsOnlyBehindAWait() throws Exception {
    AtomicInteger authenticated = new AtomicInteger();
    server
        .filter(RateLimitFilter.nonBlocking(web), BOTH)
        .filter(
            (request, response, chain) -> {
              authenticated.incrementAndGet();
              chain.doFilter(request, response);
            },
            REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    assertThat(status(waiting)).isEqualTo(200);
    assertThat(authenticated).hasValue(0);
  }

  @Test
  void blockingFilterSkipsNoFilter() throws Exception {
    AtomicInteger authenticated = new AtomicInteger();
    server
        .filter(RateLimitFilter.of(web), BOTH)
        .filter(
            (request, response, chain) -> {
              authenticated.incrementAndGet();
              chain.doFilter(request, response);
            },
            REQUEST)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitBlocked();
    origin.release();
    assertThat(status(waiting)).isEqualTo(200);
    assertThat(authenticated).hasValue(1);
  }

  @Test
  void requestWrappedByAnEarlierFilterStaysWrapped() throws Exception {
    server
        .filter(
            (request, response, chain) -> chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public String getRemoteUser() {
                    return "ann";
                  }
                },
                response),
            REQUEST)
        .filter(RateLimitFilter.nonBlocking(web), BOTH)
        .servlet(
            "/",
            TestServlets.of(
                (request, response) -> response.getWriter().write(request.getRemoteUser())))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    origin.release();
    assertThat(waiting.get(10, TimeUnit.SECONDS).body()).isEqualTo("ann");
  }

  @Test
  void requestThatDoesNotSupportAsynchronousProcessingWaitsOnItsThread() throws Exception {
    server
        .filter((request, response, chain) -> chain.doFilter(request, response), false, BOTH)
        .filter(RateLimitFilter.nonBlocking(web), BOTH)
        .servlet("/", TestServlets.text("hello", calls))
        .start();
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitBlocked();
    origin.release();
    assertThat(status(waiting)).isEqualTo(200);
  }

  /** The time after which the container ends asynchronous requests does not apply to the wait. */
  @Test
  void waitMayBeLongerThanTheTimeoutOfTheContainer() throws Exception {
    server.connector().setAsyncTimeout(10);
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    Thread.sleep(1_500); // Tomcat looks for timeouts once a second
    assertThat(waiting).isNotDone();
    origin.release();
    assertThat(status(waiting)).isEqualTo(200);
  }

  /** The client has closed its connection when the decision arrives; the server goes on. */
  @Test
  void clientThatDisconnectsWhileItWaitsHarmsNothing() throws Exception {
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    for (int i = 1; i <= 20; i++) {
      disconnectWhileWaiting(i);
    }
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/other");
    assertThat(status(waiting)).isEqualTo(200);
    origin.release();
    assertThat(server.get("/api", "X-Key", "another").statusCode()).isEqualTo(200);
    assertThat(server.get("/api").statusCode()).isEqualTo(429); // 20 requests used up the limit
  }

  private void disconnectWhileWaiting(int requests) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoLinger(true, 0); // resets the connection
      socket
          .getOutputStream()
          .write(
              "GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      awaitReturned(requests);
    }
  }

  @Test
  void originThatDoesNotAnswerDelaysARequestForABoundedTime() throws Exception {
    startWith(RateLimitFilter.nonBlocking(web));
    origin.hold();
    CompletableFuture<HttpResponse<String>> waiting = server.getLater("/api");
    awaitReturned(1);
    time.advance(Duration.ofMillis(310));
    assertThat(status(waiting)).isEqualTo(200);
  }
}
