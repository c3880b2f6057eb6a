package io.tidegate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the outcomes and the breaker are the subject
class GuardTest {

  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:00Z"));
  private final Guard guard = Guard.ofManyCalls(Duration.ofMillis(300), PAUSE, time);
  private final List<String> outcomes = new ArrayList<>();
  private final Guard.Outcome outcome = new Guard.Outcome() {
    @Override
    public void answered(long nanos) {
      outcomes.add("answered after " + Duration.ofNanos(nanos).toMillis() + " ms");
    }

    @Override
    public void failed(Throwable cause) {
      outcomes.add(cause == null ? "not called" : "failed: " + cause.getMessage());
    }
  };

  private CompletableFuture<String> call(CompletableFuture<String> answer) {
    List<CompletableFuture<String>> answers = guard.call("", () -> List.of(answer), outcome);
    return answers == null ? null : answers.get(0);
  }

  private CompletableFuture<String> callFailing() {
    return call(CompletableFuture.failedFuture(new IllegalStateException("down")));
  }

  private void callSuccessfully() {
    call(CompletableFuture.completedFuture("good"));
  }

  @Test
  void reportsAnswersAndTheirDuration() {
    CompletableFuture<String> origin = new CompletableFuture<>();
    CompletableFuture<String> answer = call(origin);
    time.advance(Duration.ofMillis(7));
    origin.complete("hello");
    assertThat(answer.join()).isEqualTo("hello");
    assertThat(outcomes).containsExactly("answered after 7 ms");
  }

  @Test
  void callFailsAtItsTimeout() {
    CompletableFuture<String> origin = new CompletableFuture<>();
    CompletableFuture<String> answer = call(origin);
    time.advance(Duration.ofMillis(299));
    guard.expire();
    assertThat(answer).isNotDone();
    time.advance(Duration.ofMillis(1));
    guard.expire();
    assertThatThrownBy(answer::join).hasCauseInstanceOf(TimeoutException.class);
    origin.complete("late");
    assertThat(outcomes).containsExactly("failed: no answer within 300 ms");
  }

  @Test
  void slowCallBehindAnsweredOnesFailsInTime() {
    List<CompletableFuture<String>> slow = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      callSuccessfully();
      slow.add(call(new CompletableFuture<>()));
      time.advance(Duration.ofMillis(10));
    }
    time.advance(Duration.ofMillis(250)); // 350 ms since the first, 260 ms since the last
    guard.expire();
    assertThat(slow.stream().filter(CompletableFuture::isDone)).hasSize(6);
    time.advance(Duration.ofMillis(50));
    guard.expire();
    assertThat(slow).allMatch(CompletableFuture::isCompletedExceptionally);
  }

  @Test
  void callThatThrowsFails() {
    List<CompletableFuture<String>> answers = guard.call(
        "",
        () -> {
          throw new IllegalStateException("thrown");
        },
        outcome);
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0)).isCompletedExceptionally();
    assertThat(outcomes).containsExactly("failed: thrown");
  }

  @Test
  void callsAreRejectedWhenHalfOfTwentyFailed() {
    for (int i = 0; i < 10; i++) {
      callSuccessfully();
      assertThat(callFailing()).isNotNull();
    }
    assertThat(callFailing()).isNull();
    assertThat(outcomes).endsWith("not called");
  }

  /**
   * The reference system stopped calling after 5 failures in a row, 1 in 700, when windows rotated.
   */
  @Test
  void fewFailuresAmongManyCallsAreNoOutage() {
    for (int i = 0; i < 1_000; i++) {
      callSuccessfully();
    }
    for (int i = 0; i < 500; i++) {
      assertThat(callFailing()).isNotNull();
    }
  }

  @Test
  void fewerThanTwentyCallsAreNoOutage() {
    for (int i = 0; i < 19; i++) {
      assertThat(callFailing()).isNotNull();
    }
  }

  @Test
  void oldFailuresAreIgnored() {
    for (int i = 0; i < 15; i++) {
      callFailing();
    }
    time.advance(Duration.ofSeconds(6));
    for (int i = 0; i < 15; i++) {
      assertThat(callFailing()).isNotNull();
    }
  }

  @Test
  void successfulProbeAfterThePauseClosesTheBreaker() {
    open();
    time.advance(Duration.ofMillis(4_999));
    assertThat(callFailing()).isNull();
    time.advance(Duration.ofMillis(2));
    for (int i = 0; i < 100; i++) {
      assertThat(call(CompletableFuture.completedFuture("good"))).isNotNull();
    }
  }

  /** The reference system stayed half-open forever. */
  @Test
  void failedProbeStartsAnotherPause() {
    open();
    time.advance(Duration.ofMillis(5_001));
    assertThat(callFailing()).isNotNull();
    assertThat(callFailing()).isNull();
    time.advance(Duration.ofMillis(4_990));
    assertThat(callFailing()).isNull();
    time.advance(Duration.ofMillis(20));
    assertThat(callFailing()).isNotNull();
  }

  @Test
  void callWithOneAnswerOfManyIsASuccessForTheBreakerAndAFailureForTheReport() {
    for (int i = 0; i < 100; i++) {
      List<CompletableFuture<String>> answers = guard.call(
          "",
          () -> List.of(
              CompletableFuture.failedFuture(new IllegalStateException("one master is down")),
              CompletableFuture.completedFuture("good")),
          outcome);
      assertThat(answers).hasSize(2);
      assertThat(answers.get(1).join()).isEqualTo("good");
    }
    assertThat(outcomes).hasSize(100).containsOnly("failed: one master is down");
  }

  @Test
  void failuresOfOnePartDoNotAffectAnother() {
    open();
    assertThat(
            guard.call("other", () -> List.of(CompletableFuture.completedFuture("good")), outcome))
        .isNotNull();
    assertThat(callFailing()).isNull();
  }

  @Test
  void numberOfPartsIsBounded() {
    open();
    for (int i = 0; i < 5_000; i++) {
      guard.call("part " + i, () -> List.of(CompletableFuture.completedFuture("good")), outcome);
    }
    assertThat(callFailing()).as("judged anew").isNotNull();
  }

  @Test
  void missingStageFailsOnlyItsOwnAnswer() {
    List<CompletableFuture<String>> answers = guard.call(
        "", () -> Arrays.asList(null, CompletableFuture.completedFuture("good")), outcome);
    assertThat(answers.get(0)).isCompletedExceptionally();
    assertThat(answers.get(1).join()).isEqualTo("good");
  }

  @Test
  void breakerIgnoresTheTimeOfDay() {
    open();
    time.advance(Duration.ofHours(-1));
    time.advance(Duration.ofMillis(5_001));
    assertThat(callFailing()).isNotNull();
  }

  private void open() {
    while (callFailing() != null) {
      // until it rejects a call
    }
  }
}
