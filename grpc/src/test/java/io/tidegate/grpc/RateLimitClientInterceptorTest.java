package io.tidegate.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.tidegate.RateLimiter;
import io.tidegate.grpc.RateLimitServerInterceptorTest.UserOfApiKey;
import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Calls of a client that stays within a limit, to a real server. Only the limiter's time is
 * virtual.
 */
class RateLimitClientInterceptorTest {

  private static final LimitRequest ONE_PER_MINUTE =
      LimitRequest.of("default", "echo", "all", Limit.perMinute(1));
  private static final Duration LONG = Duration.ofMinutes(10);

  private final Map<Long, Integer> admittedByMinute = new ConcurrentHashMap<>();
  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:12Z"));
  private final RateLimiter limiter = RateLimiter.builder()
      .clock(time)
      .scheduler(time)
      .observer(new Admissions())
      .build();
  private final EchoServer server = new EchoServer(new UserOfApiKey());

  @AfterEach
  void close() {
    server.close();
    limiter.close();
  }

  @Test
  void callWithinTheLimitIsSentAtOnce() {
    assertThat(EchoServer.call(limited(LONG), "a")).isEqualTo("a");
    assertThat(remaining()).isZero();
  }

  @Test
  void callWaitsUntilTheLimitHasRoom() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    Future<String> waiting =
        ClientCalls.futureUnaryCall(channel.newCall(Echo.UNARY, CallOptions.DEFAULT), "b");
    Thread.sleep(50); // time for the call to arrive, which it must not
    assertThat(server.echo.calls).hasValue(1);
    assertThat(waiting.isDone()).isFalse();

    time.advance(Duration.ofMinutes(2));
    assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("b");
    assertThat(server.echo.calls).hasValue(2);
  }

  @Test
  void blockingStubWaits() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try {
      Future<String> waiting = caller.submit(() -> callWithoutDeadline(channel));
      Thread.sleep(50);
      assertThat(waiting.isDone()).isFalse();
      time.advance(Duration.ofMinutes(2));
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("b");
    } finally {
      caller.shutdownNow();
    }
  }

  @Test
  void interruptedBlockingStubGivesUpItsPlace() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    ExecutorService caller = Executors.newSingleThreadExecutor();
    CountDownLatch started = new CountDownLatch(1);
    Future<String> waiting = caller.submit(() -> {
      started.countDown();
      return callWithoutDeadline(channel);
    });
    started.await();
    caller.shutdownNow();
    assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
        .hasStackTraceContaining("CANCELLED");
    time.advance(Duration.ofMinutes(2));
    assertThat(remaining()).isEqualTo(1);
    assertThat(server.echo.calls).hasValue(1);
  }

  @Test
  void callFailsAtOnceIfItWouldWaitTooLong() {
    Channel channel = limited(Duration.ofSeconds(1));
    EchoServer.call(channel, "a");
    StatusRuntimeException failure = failure(channel, CallOptions.DEFAULT);

    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(failure.getStatus().getDescription())
        .isEqualTo(
            "the call was not sent: the limit \"echo\" of this client has no room for it within 1000 ms");
    assertThat(server.echo.calls).hasValue(1);
  }

  @Test
  void zeroDoesNotWait() {
    Channel channel = limited(Duration.ZERO);
    EchoServer.call(channel, "a");
    assertThat(failure(channel, CallOptions.DEFAULT).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void callFailsAtOnceIfItsDeadlineIsTooEarly() {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    long start = System.nanoTime();
    StatusRuntimeException failure =
        failure(channel, CallOptions.DEFAULT.withDeadlineAfter(20, TimeUnit.SECONDS));

    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(failure.getStatus().getDescription()).endsWith(", or before its deadline");
    assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(15));
  }

  @Test
  void callFailsAtOnceIfTheDeadlineOfItsContextIsTooEarly() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try (Context.CancellableContext context =
        Context.current().withDeadline(Deadline.after(20, TimeUnit.SECONDS), timer)) {
      Status.Code code =
          context.call(() -> failure(channel, CallOptions.DEFAULT).getStatus().getCode());
      assertThat(code).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void callWhoseDeadlineHasPassedIsNotCharged() {
    StatusRuntimeException failure =
        failure(limited(LONG), CallOptions.DEFAULT.withDeadlineAfter(-1, TimeUnit.SECONDS));

    assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(remaining()).isEqualTo(1);
  }

  @Test
  void cancelledCallGivesUpItsPlace() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    TestStream first = TestStream.of(channel, Echo.BIDI);
    TestStream second = TestStream.of(channel, Echo.BIDI);
    second.send("b");
    second.halfClose();
    first.call.cancel("enough", null);

    Status status = first.await();
    assertThat(status.getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(status.getDescription()).isEqualTo("enough");
    assertThat(first.events).containsExactly("close");
    time.advance(Duration.ofMinutes(2));
    assertThat(second.await().isOk()).isTrue();
    assertThat(server.echo.calls).hasValue(2);
    first.send("ignored");
    first.call.cancel("again", null);
  }

  @Test
  void callThatIsCancelledBeforeItsStartIsNotCharged() throws Exception {
    TestStream stream = TestStream.notStarted(limited(LONG), Echo.BIDI, CallOptions.DEFAULT);
    stream.call.cancel("never mind", null);
    stream.start();

    assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(remaining()).isEqualTo(1);
    assertThat(server.echo.calls).hasValue(0);
  }

  @Test
  void callThatIsCancelledAfterItsStartEnds() throws Exception {
    TestStream stream = TestStream.of(limited(LONG), Echo.BIDI);
    stream.send("a");
    Await.until("arrival", () -> server.echo.received.contains("a"));
    stream.call.cancel("enough", null);

    assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
    Await.until("end at the server", () -> server.echo.received.contains("error"));
  }

  @Test
  void cancelledContextGivesUpThePlace() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    try (Context.CancellableContext context = Context.current().withCancellation()) {
      TestStream stream = context.call(() -> TestStream.of(channel, Echo.BIDI));
      Thread.sleep(20);
      assertThat(stream.isClosed()).isFalse();
      context.cancel(new IllegalStateException("the caller has gone"));

      assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
    }
    time.advance(Duration.ofMinutes(2));
    assertThat(remaining()).isEqualTo(1);
  }

  @Test
  void operationsKeepTheirOrderAndResponsesArrive() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    TestStream stream = TestStream.of(channel, Echo.BIDI);
    for (int i = 0; i < 100; i++) {
      stream.send("m" + i);
    }
    stream.halfClose();
    assertThat(stream.call.isReady()).isFalse();

    time.advance(Duration.ofMinutes(2));
    assertThat(stream.await().isOk()).isTrue();
    assertThat(stream.responses).hasSize(100).startsWith("m0", "m1", "m2").endsWith("m99");
    assertThat(server.echo.received).endsWith("m99", "completed");
  }

  /** A sender that waits for its turn gets it, whether or not the call has waited. */
  @Test
  void callBecomesReady() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    for (int i = 0; i < 20; i++) {
      TestStream stream = TestStream.of(channel, Echo.BIDI);
      assertThat(stream.call.isReady()).isFalse();
      time.advance(Duration.ofMillis(retryMillis())); // the limit is full again then
      Await.until("readiness", () -> stream.events.contains("ready true"));
      assertThat(stream.events).doesNotContain("ready false");
      assertThat(stream.call.isReady()).isTrue();
      stream.call.cancel("done", null);
    }
  }

  /** The listener of such a call may be called before its start returns. */
  @Test
  void callThatDidNotWaitBecomesReady() throws Exception {
    LimitRequest many = LimitRequest.of("default", "echo", "all", Limit.perMinute(1_000));
    Channel channel =
        server.with(new RateLimitClientInterceptor(limiter, CallLimit.all(many), LONG));
    for (int i = 0; i < 300; i++) {
      TestStream stream = TestStream.of(channel, Echo.BIDI);
      Await.until("readiness", () -> stream.events.contains("ready true"));
      stream.call.cancel("done", null);
    }
  }

  @Test
  void messageThatCannotBeSentEndsACallThatHasWaited() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    TestStream stream = TestStream.of(channel, Echo.BIDI);
    stream.send(null);
    stream.send("b");
    time.advance(Duration.ofMinutes(2));

    assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
    assertThat(server.echo.received).doesNotContain("b");
  }

  @Test
  void interceptorThatThrowsEndsACallThatHasWaited() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    ClientInterceptor broken = new ClientInterceptor() {
      @Override
      public <Q, R> ClientCall<Q, R> interceptCall(
          MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        if (calls.incrementAndGet() > 1) {
          throw new IllegalStateException("thrown by a test");
        }
        return next.newCall(method, options);
      }
    };
    Channel channel = ClientInterceptors.intercept(server.with(broken), interceptor(LONG));
    EchoServer.call(channel, "a");
    TestStream stream = TestStream.of(channel, Echo.BIDI);
    time.advance(Duration.ofMinutes(2));

    assertThat(stream.await().getCode()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void messagesAreRequestedOneByOne() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    TestStream stream = TestStream.notStarted(channel, Echo.SERVER_STREAM, CallOptions.DEFAULT);
    stream.start();
    stream.call.request(2);
    stream.send("m");
    stream.halfClose();
    time.advance(Duration.ofMinutes(2));
    Await.until("two messages", () -> stream.responses.size() == 2);
    Thread.sleep(50); // time for a third message, which must not come
    assertThat(stream.responses).containsExactly("m0", "m1");

    stream.call.request(10);
    assertThat(stream.await().isOk()).isTrue();
    assertThat(stream.responses).hasSize(Echo.STREAM_LENGTH);
  }

  @Test
  void headersOfTheCallAreSent() throws Exception {
    Metadata metadata = new Metadata();
    metadata.put(EchoServer.API_KEY, "alice");
    RateLimitClientInterceptor limit = interceptor(LONG);
    Channel above = ClientInterceptors.intercept(
        server.with(limit), MetadataUtils.newAttachHeadersInterceptor(metadata));
    Channel below = ClientInterceptors.intercept(
        server.with(MetadataUtils.newAttachHeadersInterceptor(metadata)), limit);
    assertThat(EchoServer.call(above, "user?")).isEqualTo("alice");
    for (Channel channel : List.of(above, below)) {
      Future<String> waiting =
          ClientCalls.futureUnaryCall(channel.newCall(Echo.UNARY, CallOptions.DEFAULT), "user?");
      time.advance(Duration.ofMinutes(2));
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("alice");
    }
  }

  @Test
  void deadlineReachesTheServerAndCountsFromTheBeginning() throws Exception {
    Channel channel = limited(LONG);
    EchoServer.call(channel, "a");
    time.advance(Duration.ofMillis(retryMillis() - 100)); // room in 100 virtual milliseconds
    TestStream stream = TestStream.notStarted(
        channel, Echo.BIDI, CallOptions.DEFAULT.withDeadlineAfter(3, TimeUnit.SECONDS));
    stream.start();
    assertThat(stream.isClosed()).isFalse();
    time.advance(Duration.ofMillis(100));
    Await.until("arrival", () -> server.echo.calls.get() == 2);

    assertThat(stream.await().getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void executorOfACallStartsIt() throws Exception {
    List<String> threads = new CopyOnWriteArrayList<>();
    ExecutorService own = Executors.newSingleThreadExecutor(work -> new Thread(work, "own"));
    try {
      Channel channel = ClientInterceptors.intercept(
          ClientInterceptors.intercept(server.channel, new ClientInterceptor() {
            @Override
            public <Q, R> ClientCall<Q, R> interceptCall(
                MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
              threads.add(Thread.currentThread().getName());
              return next.newCall(method, options);
            }
          }),
          interceptor(LONG));
      EchoServer.call(channel, "a");
      Future<String> waiting = ClientCalls.futureUnaryCall(
          channel.newCall(Echo.UNARY, CallOptions.DEFAULT.withExecutor(own)), "b");
      time.advance(Duration.ofMinutes(2));
      waiting.get(20, TimeUnit.SECONDS);
      assertThat(threads).hasSize(2).endsWith("own");
    } finally {
      own.shutdownNow();
    }
  }

  @Test
  void unlimitedMethodsAreSent() {
    CallLimit echoOnly = (method, options) ->
        method.getFullMethodName().startsWith("test.Echo/") ? ONE_PER_MINUTE : null;
    Channel channel = server.with(new RateLimitClientInterceptor(limiter, echoOnly, Duration.ZERO));
    EchoServer.call(channel, "a");
    EchoServer.call(channel, Echo.OTHER, "b");
    EchoServer.call(channel, Echo.OTHER, "c");
    assertThat(server.echo.calls).hasValue(3);
  }

  @Test
  void waitingCallsNeedNoThreads() throws Exception {
    Channel channel = limited(Duration.ofDays(1));
    EchoServer.call(channel, "a");
    int before = Thread.activeCount();
    List<TestStream> streams = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      streams.add(TestStream.of(channel, Echo.BIDI));
    }
    assertThat(Thread.activeCount()).isLessThan(before + 10);
    for (TestStream stream : streams) {
      stream.call.cancel("done", null);
    }
    for (TestStream stream : streams) {
      assertThat(stream.await().getCode()).isEqualTo(Status.Code.CANCELLED);
    }
    assertThat(server.echo.calls).hasValue(1);
  }

  @Test
  void fiftyThreadsSendExactlyTheLimit() throws Exception {
    LimitRequest hundred = LimitRequest.of("default", "echo", "all", Limit.perMinute(100));
    Channel channel = server.with(
        new RateLimitClientInterceptor(limiter, CallLimit.all(hundred), Duration.ofSeconds(5)));
    AtomicInteger failed = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 50; t++) {
        running.add(threads.submit(() -> {
          for (int i = 0; i < 10; i++) {
            try {
              EchoServer.call(channel, "x");
            } catch (StatusRuntimeException e) {
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              failed.incrementAndGet();
            }
          }
        }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(server.echo.calls).hasValue(100);
    assertThat(failed).hasValue(400);
  }

  /** All calls of fifty threads are sent in the end, never more than the limit in a minute. */
  @Test
  void fiftyThreadsWaitForTheirTurn() throws Exception {
    LimitRequest ten = LimitRequest.of("default", "echo", "all", Limit.perMinute(10));
    Channel channel = server.with(
        new RateLimitClientInterceptor(limiter, CallLimit.all(ten), Duration.ofDays(1)));
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<Future<String>> calls = new ArrayList<>();
      for (int t = 0; t < 50; t++) {
        calls.add(threads.submit(() -> callWithoutDeadline(channel)));
      }
      Await.until("the first ten", () -> server.echo.calls.get() == 10);
      Thread.sleep(50); // time for an eleventh, which must not come
      assertThat(server.echo.calls).hasValue(10);
      Await.until("the end of all calls", () -> {
        time.advance(Duration.ofSeconds(30));
        return calls.stream().allMatch(Future::isDone);
      });
      for (Future<String> call : calls) {
        assertThat(call.get(20, TimeUnit.SECONDS)).isEqualTo("b");
      }
      assertThat(server.echo.calls).hasValue(50);
      assertThat(admittedByMinute.values()).allMatch(count -> count <= 10);
      assertThat(admittedByMinute.values().stream().mapToInt(count -> count).sum())
          .isEqualTo(50);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void negativeWaitIsRejected() {
    assertThatThrownBy(() -> interceptor(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWait must not be negative: PT-0.001S");
  }

  @Test
  void callStartsOnce() {
    TestStream stream = TestStream.of(limited(LONG), Echo.BIDI);
    assertThatThrownBy(stream::start).isInstanceOf(IllegalStateException.class);
    stream.call.cancel("done", null);
  }

  private static String callWithoutDeadline(Channel channel) {
    return ClientCalls.blockingUnaryCall(channel, Echo.UNARY, CallOptions.DEFAULT, "b");
  }

  private Channel limited(Duration maxWait) {
    return server.with(interceptor(maxWait));
  }

  private RateLimitClientInterceptor interceptor(Duration maxWait) {
    return new RateLimitClientInterceptor(limiter, CallLimit.all(ONE_PER_MINUTE), maxWait);
  }

  private long remaining() {
    return limiter.tryAcquire(ONE_PER_MINUTE.withCost(0)).remaining();
  }

  /** How long the next call would wait. */
  private long retryMillis() {
    return limiter.tryAcquire(ONE_PER_MINUTE).retryAfterMillis();
  }

  private static StatusRuntimeException failure(Channel channel, CallOptions options) {
    return catchThrowableOfType(
        StatusRuntimeException.class,
        () -> ClientCalls.blockingUnaryCall(channel, Echo.UNARY, options, "b"));
  }

  private final class Admissions implements LimiterObserver {

    @Override
    public void decided(Scope scope, String identifier, Decision decision) {
      if (decision.allowed()) {
        admittedByMinute.merge(time.millis() / 60_000, 1, Integer::sum);
      }
    }
  }
}
