package io.tidegate.grpc;

import static io.tidegate.grpc.EchoServer.API_KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.MissingKey;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebListener;
import io.tidegate.rules.web.WebRule;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real calls over the loopback address, decided on from memory. */
class RateLimitServerInterceptorTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:12Z"));
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).build();
  private final List<String> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    limiter.close();
  }

  @Test
  void callsBeyondTheLimitAreDeniedAndDoNotReachTheHandler() {
    try (EchoServer server = server(rule(2))) {
      assertThat(server.call("a")).isEqualTo("a");
      assertThat(server.call("b")).isEqualTo("b");
      assertThat(denial(server.channel).getStatus().getCode())
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(server.echo.calls).hasValue(2);

      time.advance(Duration.ofMinutes(2));
      assertThat(server.call("c")).isEqualTo("c");
    }
  }

  @Test
  void clientSeesWhenToRetry() throws Exception {
    try (EchoServer server = server(rule(2))) {
      server.call("a");
      server.call("b");
      StatusRuntimeException denial = denial(server.channel);

      com.google.rpc.Status status = StatusProto.fromThrowable(denial);
      long millis = StatusDetailsTest.millis(status);
      assertThat(status.getCode()).isEqualTo(8);
      assertThat(status.getMessage())
          .isEqualTo(denial.getStatus().getDescription())
          .isEqualTo("rate limit \"api\" exceeded; retry in " + millis + " ms");
      assertThat(trailer(denial, "retry-after")).isEqualTo(Long.toString((millis + 999) / 1_000));
      assertThat(trailer(denial, "grpc-retry-pushback-ms")).isEqualTo(Long.toString(millis));
      assertThat(trailer(denial, "ratelimit-policy")).isEqualTo("\"api\";q=2;w=60");
      assertThat(trailer(denial, "ratelimit")).startsWith("\"api\";r=0;t=");

      time.advance(Duration.ofMillis(millis - 1));
      assertThat(denial(server.channel)).isNotNull();
      time.advance(Duration.ofMillis(1));
      assertThat(server.call("c")).isEqualTo("c");
    }
  }

  @Test
  void callThatIsNeverAllowedHasNothingToRetry() {
    try (EchoServer server = server(rule(2).cost(3))) {
      StatusRuntimeException denial = denial(server.channel);

      assertThat(denial.getStatus().getDescription())
          .isEqualTo("rate limit \"api\" exceeded; this call is never allowed");
      assertThat(StatusProto.fromThrowable(denial).getDetailsList()).isEmpty();
      assertThat(trailer(denial, "retry-after")).isNull();
      assertThat(trailer(denial, "grpc-retry-pushback-ms")).isEqualTo("-1");
    }
  }

  @Test
  void limitsAreHiddenOnRequest() {
    WebLimiter web = WebLimiter.builder(limiter)
        .clock(time)
        .rules(rule(1).build())
        .withoutHeaders()
        .build();
    try (EchoServer server = new EchoServer(new RateLimitServerInterceptor(web))) {
      server.call("a");
      StatusRuntimeException denial = denial(server.channel);

      assertThat(trailer(denial, "ratelimit")).isNull();
      assertThat(trailer(denial, "retry-after")).isNotNull();
    }
  }

  @Test
  void responsesHaveTheHeadersOfTheDecision() {
    try (EchoServer server = server(rule(5))) {
      AtomicReference<Metadata> headers = new AtomicReference<>();
      AtomicReference<Metadata> trailers = new AtomicReference<>();
      Channel channel = server.with(MetadataUtils.newCaptureMetadataInterceptor(headers, trailers));
      EchoServer.call(channel, "a");

      assertThat(headers.get().get(ascii("ratelimit"))).startsWith("\"api\";r=4;t=");
      assertThat(headers.get().get(ascii("ratelimit-policy"))).isEqualTo("\"api\";q=5;w=60");
    }
  }

  @Test
  void handlerSeesTheDecision() {
    try (EchoServer server = server(rule(5))) {
      assertThat(server.call("decision?"))
          .startsWith(
              "[PolicyDecision[policy=api, windowMillis=60000, decision=Decision[allowed=true"
                  + ", limit=5, remaining=4");
    }
  }

  @Test
  void ruleForAServiceLeavesOthersUnlimited() {
    try (EchoServer server = server(rule(1).path(GrpcRules.service(Echo.SERVICE)))) {
      server.call("a");
      assertThat(denial(server.channel)).isNotNull();
      for (int i = 0; i < 3; i++) {
        assertThat(EchoServer.call(server.channel, Echo.OTHER, "b")).isEqualTo("b");
      }
    }
  }

  @Test
  void ruleForAMethodLeavesTheOthersOfItsServiceUnlimited() {
    try (EchoServer server = server(rule(1).path(GrpcRules.method(Echo.BIDI)))) {
      server.call("a");
      assertThat(server.call("b")).isEqualTo("b");
    }
  }

  @Test
  void keyFromMetadata() {
    try (EchoServer server = server(rule(1).key(GrpcRules.metadata(API_KEY)))) {
      EchoServer.call(server.withKey("one"), "a");
      EchoServer.call(server.withKey("two"), "a");
      assertThat(denial(server.withKey("one"))).isNotNull();
      assertThat(events).containsExactly("one true", "two true", "one false");
    }
  }

  @Test
  void keyFromAHeaderInAnyCase() {
    try (EchoServer server = server(rule(1).key(KeyFunction.header("X-Api-Key")))) {
      EchoServer.call(server.withKey("one"), "a");
      assertThat(events).containsExactly("one true");
    }
  }

  @Test
  void keyFromABinaryHeader() {
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("id-bin", Metadata.BINARY_BYTE_MARSHALLER), new byte[] {1, 2, 3, 4});
    try (EchoServer server = server(rule(1).key(KeyFunction.header("id-bin")))) {
      EchoServer.call(server.with(MetadataUtils.newAttachHeadersInterceptor(metadata)), "a");
      assertThat(events).containsExactly("AQIDBA true");
    }
  }

  @Test
  void keyFromTheContext() {
    WebLimiter web = web(rule(1).key(GrpcRules.context(Echo.USER)));
    try (EchoServer server =
        new EchoServer(new RateLimitServerInterceptor(web), new UserOfApiKey())) {
      EchoServer.call(server.withKey("alice"), "a");
      EchoServer.call(server.withKey("bob"), "a");
      assertThat(denial(server.withKey("alice"))).isNotNull();
      assertThat(events).containsExactly("alice true", "bob true", "alice false");
      assertThat(EchoServer.call(server.withKey("carol"), "user?")).isEqualTo("carol");
    }
  }

  @Test
  void keyFromThePeer() {
    try (EchoServer server = server(rule(1))) {
      server.call("a");
      assertThat(events).containsExactly("127.0.0.1 true");
    }
  }

  @Test
  void keyFromAFunctionOfTheCall() {
    KeyFunction authority = request -> request.unwrap(ServerCall.class).getAuthority();
    try (EchoServer server = server(rule(1).key(authority))) {
      server.call("a");
      assertThat(events).singleElement().asString().matches("(localhost|127.0.0.1):\\d+ true");
    }
  }

  @Test
  void unwrapNamesBothTypes() {
    KeyFunction wrong = request -> request.unwrap(String.class);
    List<Exception> failures = new ArrayList<>();
    WebLimiter web = WebLimiter.builder(limiter)
        .rules(rule(1).key(wrong).build())
        .listener(new WebListener() {
          @Override
          public void functionFailed(WebRule rule, String function, Exception failure) {
            failures.add(failure);
          }
        })
        .build();
    try (EchoServer server = new EchoServer(new RateLimitServerInterceptor(web))) {
      server.call("a");
      assertThat(failures)
          .singleElement()
          .isInstanceOf(IllegalArgumentException.class)
          .asString()
          .contains("ServerCall")
          .contains("java.lang.String");
    }
  }

  @Test
  void callsWithoutAKeyShareACount() {
    try (EchoServer server = server(rule(1).key(GrpcRules.metadata(API_KEY)))) {
      server.call("a");
      assertThat(denial(server.channel)).isNotNull();
      EchoServer.call(server.withKey("one"), "a");
      assertThat(events).containsExactly("null true", "null false", "one true");
    }
  }

  @Test
  void callsWithoutAKeyAreSkipped() {
    try (EchoServer server =
        server(rule(1).key(GrpcRules.metadata(API_KEY)).missingKey(MissingKey.SKIP))) {
      server.call("a");
      server.call("b");
      assertThat(events).isEmpty();
    }
  }

  @Test
  void callsWithoutAKeyAreDenied() {
    try (EchoServer server =
        server(rule(1).key(GrpcRules.metadata(API_KEY)).missingKey(MissingKey.DENY))) {
      assertThat(denial(server.channel).getStatus().getCode())
          .isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(server.echo.calls).hasValue(0);
    }
  }

  @Test
  void shadowRuleReportsAndNeverDenies() {
    try (EchoServer server = server(rule(1).shadow())) {
      server.call("a");
      server.call("b");
      assertThat(events).containsExactly("127.0.0.1 true", "127.0.0.1 false");
    }
  }

  @Test
  void costFromMetadata() {
    WebRule.Builder rule = rule(10).cost(request -> Long.parseLong(request.header("x-api-key")));
    try (EchoServer server = server(rule)) {
      EchoServer.call(server.withKey("7"), "a");
      assertThat(denial(server.withKey("4"))).isNotNull();
      EchoServer.call(server.withKey("3"), "a");
    }
  }

  @Test
  void streamIsChargedOnce() throws Exception {
    try (EchoServer server = server(rule(3))) {
      List<String> down = new ArrayList<>();
      ClientCalls.blockingServerStreamingCall(
              server.channel, Echo.SERVER_STREAM, CallOptions.DEFAULT, "m")
          .forEachRemaining(down::add);
      assertThat(down).hasSize(Echo.STREAM_LENGTH);

      TestStream up = TestStream.of(server.channel, Echo.CLIENT_STREAM);
      TestStream both = TestStream.of(server.channel, Echo.BIDI);
      for (int i = 0; i < 10; i++) {
        up.send("u" + i);
        both.send("b" + i);
      }
      up.halfClose();
      both.halfClose();
      assertThat(up.await().getCode()).isEqualTo(Status.Code.OK);
      assertThat(both.await().getCode()).isEqualTo(Status.Code.OK);
      assertThat(both.responses).hasSize(10);

      assertThat(events).hasSize(3);
      TestStream denied = TestStream.of(server.channel, Echo.BIDI);
      assertThat(denied.await().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(server.echo.calls).hasValue(3);
    }
  }

  @Test
  void interceptorThatIsAddedTwiceChargesOnce() {
    RateLimitServerInterceptor interceptor = new RateLimitServerInterceptor(web(rule(2)));
    try (EchoServer server = new EchoServer(interceptor, interceptor)) {
      server.call("a");
      server.call("b");
      assertThat(denial(server.channel)).isNotNull();
      assertThat(events).hasSize(3);
    }
  }

  @Test
  void twoInterceptorsChargeTwice() {
    try (EchoServer server = new EchoServer(
        new RateLimitServerInterceptor(web(rule(5))),
        new RateLimitServerInterceptor(web(WebRule.named("b").limit(Limit.perMinute(5)))))) {
      server.call("a");
      assertThat(events).hasSize(2);
    }
  }

  @Test
  void fiftyThreadsGetExactlyTheLimit() throws Exception {
    AtomicInteger denied = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try (EchoServer server = server(rule(300))) {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 50; t++) {
        running.add(threads.submit(() -> {
          for (int i = 0; i < 20; i++) {
            try {
              server.call("x");
            } catch (StatusRuntimeException e) {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              denied.incrementAndGet();
            }
          }
        }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      assertThat(server.echo.calls).hasValue(300);
      assertThat(denied).hasValue(700);
    } finally {
      threads.shutdownNow();
    }
  }

  /** In real time, since the channel waits for as long as the server says. */
  @Test
  void retryPolicyOfAClientWaitsAsLongAsTheServerSays() {
    try (RateLimiter real = RateLimiter.builder().build()) {
      List<Decision> decisions = new CopyOnWriteArrayList<>();
      WebLimiter web = WebLimiter.builder(real)
          .rules(WebRule.named("api").limit(Limit.perSecond(1)).build())
          .listener(new WebListener() {
            @Override
            public void decided(WebRule rule, String key, Decision decision) {
              decisions.add(decision);
            }
          })
          .build();
      Map<String, ?> retries = Map.of(
          "methodConfig",
          List.of(Map.of(
              "name",
              List.of(Map.of()),
              "retryPolicy",
              Map.of(
                  "maxAttempts",
                  3.0,
                  "initialBackoff",
                  "0.001s",
                  "maxBackoff",
                  "0.001s",
                  "backoffMultiplier",
                  1.0,
                  "retryableStatusCodes",
                  List.of("RESOURCE_EXHAUSTED")))));
      try (EchoServer server = new EchoServer(new RateLimitServerInterceptor(web))) {
        ManagedChannel channel =
            server.channel(builder -> builder.enableRetry().defaultServiceConfig(retries));
        EchoServer.call(channel, "a");
        assertThat(EchoServer.call(channel, "b")).isEqualTo("b");
        channel.shutdownNow();
      }
      assertThat(decisions).hasSizeBetween(2, 3); // a timer may fire a millisecond early
      assertThat(decisions.get(decisions.size() - 1).allowed()).isTrue();
    }
  }

  @Test
  void callWithinTheProcessHasNoAddress() throws Exception {
    Echo echo = new Echo();
    io.grpc.Server server = InProcessServerBuilder.forName("tidegate-test")
        .addService(echo.service())
        .intercept(new RateLimitServerInterceptor(web(rule(1))))
        .build()
        .start();
    ManagedChannel channel = InProcessChannelBuilder.forName("tidegate-test").build();
    try {
      EchoServer.call(channel, "a");
      assertThat(denial(channel)).isNotNull();
      assertThat(events).containsExactly("null true", "null false");
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/test.Echo, POST, 'rule \"api\" never applies: gRPC calls have paths such as /package.Service/Method, not /test.Echo'",
    "/, POST, 'rule \"api\" never applies: gRPC calls have paths such as /package.Service/Method, not /'",
    "/v1/test.Echo/Unary, POST, 'rule \"api\" never applies: gRPC calls have paths such as /package.Service/Method, not /v1/test.Echo/Unary'",
    "/a/b/c/**, POST, 'rule \"api\" never applies: gRPC calls have paths such as /package.Service/Method, not /a/b/c/**'",
    "/test.Echo/Unary, PUT, 'rule \"api\" never applies: gRPC calls have the method POST, not [PUT]'",
  })
  void ruleThatNeverAppliesIsRejected(String path, String method, String message) {
    WebLimiter web = web(rule(1).path(path).methods(method));
    assertThatThrownBy(() -> new RateLimitServerInterceptor(web))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "/**",
    "/test.Echo/**",
    "/test.Echo/*",
    "/test.Echo/Unary",
    "/test.*/Unary",
    "/test.Echo/Unary/**"
  })
  void patternsOfTwoSegmentsApply(String path) {
    try (EchoServer server = server(rule(1).path(path))) {
      server.call("a");
      assertThat(denial(server.channel)).isNotNull();
    }
  }

  private EchoServer server(WebRule.Builder rule) {
    return new EchoServer(new RateLimitServerInterceptor(web(rule)));
  }

  private WebLimiter web(WebRule.Builder rule) {
    return WebLimiter.builder(limiter)
        .clock(time)
        .rules(rule.build())
        .listener(new WebListener() {
          @Override
          public void decided(WebRule rule, String key, Decision decision) {
            events.add(key + " " + decision.allowed());
          }
        })
        .build();
  }

  private static WebRule.Builder rule(long tokens) {
    return WebRule.named("api").limit(Limit.perMinute(tokens));
  }

  private static StatusRuntimeException denial(Channel channel) {
    return catchThrowableOfType(
        StatusRuntimeException.class, () -> EchoServer.call(channel, "denied"));
  }

  private static String trailer(StatusRuntimeException denial, String name) {
    return denial.getTrailers().get(ascii(name));
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** Stands for authentication: the user is the API key. */
  static final class UserOfApiKey implements ServerInterceptor {

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Context context = Context.current().withValue(Echo.USER, headers.get(API_KEY));
      return Contexts.interceptCall(context, call, headers, next);
    }
  }
}
