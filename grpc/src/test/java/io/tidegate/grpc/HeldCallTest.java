package io.tidegate.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.tidegate.RateLimiter;
import io.tidegate.grpc.RateLimitServerInterceptorTest.UserOfApiKey;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import io.tidegate.testing.InMemoryOrigin;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls whose decision waits for a read of the origin. */
class HeldCallTest {

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:12Z"));
  private final InMemoryOrigin origin = new InMemoryOrigin();
  private final RateLimiter limiter =
      RateLimiter.builder().clock(time).scheduler(time).origin(origin).build();
  private final ExecutorService late =
      Executors.newSingleThreadExecutor(work -> new Thread(work, "late"));
  private final List<String> events = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    origin.release();
    limiter.close();
    late.shutdownNow();
  }

  @Test
  void callIsHandledWhenTheOriginHasAnswered() throws Exception {
    try (EchoServer server = server(5)) {
      origin.hold();
      Future<String> answer = unary(server.channel, "a");
      awaitHeld(1);
      assertThat(server.echo.calls).hasValue(0);
      assertThat(answer.isDone()).isFalse();

      origin.release();
      assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("a");
      assertThat(server.echo.calls).hasValue(1);
    }
  }

  @Test
  void callIsDeniedWhenTheOriginHasAnswered() throws Exception {
    try (EchoServer server = server(1);
        RateLimiter otherNode =
            RateLimiter.builder().clock(time).scheduler(time).origin(origin).build()) {
      otherNode.tryAcquire(LimitRequest.of("default", "api", "127.0.0.1", Limit.perMinute(1)));
      time.advance(Duration.ofMillis(100));
      origin.clearCalls();
      origin.hold();
      TestStream stream = TestStream.of(server.channel, Echo.BIDI);
      stream.send("a");
      awaitHeld(1);

      origin.release();
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(server.echo.calls).hasValue(0);
    }
  }

  /** One thread serves all calls, so a call that blocks it would stop the others. */
  @Test
  void noThreadIsBlocked() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    WebLimiter web = web(100);
    try (EchoServer server =
        new EchoServer(one, new RateLimitServerInterceptor(web, late), new Recorder())) {
      origin.hold();
      List<Future<String>> held = new CopyOnWriteArrayList<>();
      for (int i = 0; i < 20; i++) {
        held.add(unary(server.channel, "held" + i));
      }
      awaitHeld(20);
      assertThat(EchoServer.call(server.channel, Echo.OTHER, "free")).isEqualTo("free");
      assertThat(held).noneMatch(Future::isDone);

      origin.release();
      for (int i = 0; i < 20; i++) {
        assertThat(held.get(i).get(20, TimeUnit.SECONDS)).isEqualTo("held" + i);
      }
    } finally {
      one.shutdownNow();
    }
  }

  @Test
  void messagesKeepTheirOrder() throws Exception {
    try (EchoServer server = server(5)) {
      origin.hold();
      TestStream stream = TestStream.of(server.channel, Echo.BIDI);
      for (int i = 0; i < 50; i++) {
        stream.send("m" + i);
      }
      stream.halfClose();
      awaitHeld(1);
      Thread.sleep(50); // time for messages to arrive, which they must not
      assertThat(server.echo.received).isEmpty();

      origin.release();
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.OK);
      assertThat(server.echo.received).hasSize(51).startsWith("m0", "m1").endsWith("completed");
      assertThat(stream.responses).hasSize(50).startsWith("m0", "m1").endsWith("m49");
    }
  }

  /** Without a message, gRPC reports the end of the client's messages before it is asked to. */
  @Test
  void endOfAnEmptyStreamIsHeldBack() throws Exception {
    try (EchoServer server = server(5)) {
      origin.hold();
      TestStream stream = TestStream.of(server.channel, Echo.CLIENT_STREAM);
      stream.halfClose();
      awaitHeld(1);
      Await.until("half-close", () -> events.contains("half-close"));

      origin.release();
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.OK);
      assertThat(stream.responses).containsExactly("");
    }
  }

  @Test
  void callThatIsCancelledMeanwhileIsNotStarted() throws Exception {
    try (EchoServer server = server(5)) {
      origin.hold();
      TestStream stream = TestStream.of(server.channel, Echo.BIDI);
      stream.send("a");
      awaitHeld(1);
      stream.call.cancel("enough", null);
      Await.until("cancellation", () -> events.contains("cancel"));

      origin.release();
      drainLate();
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
      assertThat(server.echo.calls).hasValue(0);
      assertThat(EchoServer.call(server.channel, "next")).isEqualTo("next");
    }
  }

  @Test
  void callWhoseDeadlinePassesIsNotStarted() throws Exception {
    try (EchoServer server = server(5)) {
      origin.hold();
      TestStream stream = TestStream.notStarted(
          server.channel,
          Echo.BIDI,
          CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS));
      stream.start();
      awaitHeld(1);
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      Await.until("cancellation", () -> events.contains("cancel"));

      origin.release();
      drainLate();
      assertThat(server.echo.calls).hasValue(0);
    }
  }

  @Test
  void handlerIsStartedByTheExecutorInTheContextOfTheCall() throws Exception {
    try (EchoServer server = new EchoServer(
        new RateLimitServerInterceptor(web(5), late), new UserOfApiKey(), new Recorder())) {
      origin.hold();
      Future<String> user = unary(server.withKey("alice"), "user?");
      awaitHeld(1);
      origin.release();
      assertThat(user.get(20, TimeUnit.SECONDS)).isEqualTo("alice");
    }
  }

  @Test
  void eventsThatWereHeldBackRunOnTheExecutor() throws Exception {
    List<String> threads = new CopyOnWriteArrayList<>();
    ServerInterceptor inner = new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        threads.add(Thread.currentThread().getName());
        return next.startCall(call, headers);
      }
    };
    try (EchoServer server =
        new EchoServer(inner, new RateLimitServerInterceptor(web(5), late), new Recorder())) {
      origin.hold();
      Future<String> answer = unary(server.channel, "a");
      awaitHeld(1);
      origin.release();
      answer.get(20, TimeUnit.SECONDS);
      assertThat(threads).containsExactly("late");
    }
  }

  @Test
  void handlerThatThrowsEndsTheCall() throws Exception {
    try (EchoServer server = new EchoServer(
        new RateLimitServerInterceptor(web(5), late), new UserOfApiKey(), new Recorder())) {
      origin.hold();
      TestStream stream = TestStream.of(server.withKey("thrower"), Echo.CLIENT_STREAM);
      awaitHeld(1);
      origin.release();
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(server.echo.calls).hasValue(1);
    }
  }

  @Test
  void failedExecutionOfAHandlerIsSeenByAUnaryCall() throws Exception {
    ServerInterceptor broken = new ServerInterceptor() {
      @Override
      public <Q, R> ServerCall.Listener<Q> interceptCall(
          ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        throw new IllegalStateException("thrown by a test");
      }
    };
    try (EchoServer server =
        new EchoServer(broken, new RateLimitServerInterceptor(web(5), late), new Recorder())) {
      origin.hold();
      Future<String> answer = unary(server.channel, "a");
      awaitHeld(1);
      origin.release();
      assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS)).hasRootCauseMessage("UNKNOWN");
    }
  }

  /** Fifty calls wait for the same read, and exactly the limit gets through. */
  @Test
  void heldCallsGetExactlyTheLimit() throws Exception {
    try (EchoServer server = server(20)) {
      origin.hold();
      List<TestStream> streams = new CopyOnWriteArrayList<>();
      for (int i = 0; i < 50; i++) {
        TestStream stream = TestStream.of(server.channel, Echo.UNARY);
        stream.send("a");
        stream.halfClose();
        streams.add(stream);
      }
      awaitHeld(50);

      origin.release();
      int allowed = 0;
      for (TestStream stream : streams) {
        allowed += stream.await().isOk() ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(20);
      assertThat(server.echo.calls).hasValue(20);
    }
  }

  private EchoServer server(long tokens) {
    return new EchoServer(new RateLimitServerInterceptor(web(tokens), late), new Recorder());
  }

  private WebLimiter web(long tokens) {
    return WebLimiter.builder(limiter)
        .clock(time)
        .rules(WebRule.named("api")
            .path(GrpcRules.service(Echo.SERVICE))
            .limit(Limit.perMinute(tokens))
            .build())
        .build();
  }

  private static Future<String> unary(Channel channel, String message) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(
        channel.newCall(Echo.UNARY, CallOptions.DEFAULT), message, new StreamObserver<>() {
          @Override
          public void onNext(String value) {
            answer.complete(value);
          }

          @Override
          public void onError(Throwable failure) {
            answer.completeExceptionally(failure);
          }

          @Override
          public void onCompleted() {}
        });
    return answer;
  }

  private void awaitHeld(int calls) throws InterruptedException {
    Await.until(
        "calls that are held back",
        () -> events.stream().filter("start"::equals).count() == calls);
    assertThat(origin.reads()).isNotEmpty();
  }

  private void drainLate() throws Exception {
    late.submit(() -> {}).get(20, TimeUnit.SECONDS);
  }

  /** Records the events of calls before the limit holds them back. */
  private final class Recorder implements ServerInterceptor {

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      events.add("start");
      return new SimpleForwardingServerCallListener<>(listener) {
        @Override
        public void onHalfClose() {
          super.onHalfClose();
          events.add("half-close");
        }

        @Override
        public void onCancel() {
          super.onCancel();
          events.add("cancel");
        }
      };
    }
  }
}
