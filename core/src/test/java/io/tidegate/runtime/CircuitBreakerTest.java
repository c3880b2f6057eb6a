package io.tidegate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircuitBreakerTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long PAUSE = 5 * SECOND;

  private final CircuitBreaker breaker =
      new CircuitBreaker(FailureRate.ofLastSeconds(5, 20), PAUSE);

  private void open(long now) {
    for (int i = 0; i < 20; i++) {
      breaker.tryAcquire(now).failed(now);
    }
    assertThat(breaker.tryAcquire(now)).isNull();
  }

  @Test
  void permitsOneProbeAfterThePause() {
    open(0);
    assertThat(breaker.tryAcquire(PAUSE - 1)).isNull();
    CircuitBreaker.Permit probe = breaker.tryAcquire(PAUSE);
    assertThat(probe).isNotNull();
    assertThat(breaker.tryAcquire(PAUSE + SECOND)).as("while the probe is out").isNull();
    probe.succeeded(PAUSE + SECOND);
    assertThat(breaker.tryAcquire(PAUSE + SECOND)).isNotNull();
  }

  @Test
  void pausesAgainFromTheFailureOfTheProbe() {
    open(0);
    breaker.tryAcquire(PAUSE).failed(PAUSE + SECOND);
    assertThat(breaker.tryAcquire(2 * PAUSE)).isNull();
    assertThat(breaker.tryAcquire(2 * PAUSE + SECOND)).isNotNull();
  }

  @Test
  void permitsABurstAfterASecondPauseWithoutCalls() {
    open(0);
    for (int i = 0; i < 30; i++) {
      assertThat(breaker.tryAcquire(2 * PAUSE)).as("call %d", i).isNotNull();
    }
    open(2 * PAUSE);
  }

  @Test
  void outcomesOfCallsBeforeTheOpeningAreIgnored() {
    List<CircuitBreaker.Permit> late = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      late.add(breaker.tryAcquire(0));
    }
    open(0);
    late.subList(0, 10).forEach(permit -> permit.succeeded(1));
    assertThat(breaker.tryAcquire(1)).as("still open").isNull();
    CircuitBreaker.Permit probe = breaker.tryAcquire(PAUSE);
    late.subList(10, 20).forEach(permit -> permit.succeeded(PAUSE));
    assertThat(breaker.tryAcquire(PAUSE)).as("the probe is still out").isNull();
    probe.succeeded(PAUSE);
    late.subList(20, 30).forEach(permit -> permit.failed(PAUSE));
    for (int i = 0; i < 19; i++) {
      breaker.tryAcquire(PAUSE).failed(PAUSE);
    }
    assertThat(breaker.tryAcquire(PAUSE))
        .as("late failures are not among the 20")
        .isNotNull();
  }

  /** Compares with a simple model, from any start time and with equal times. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void agreesWithAListOfAllOutcomes(long seed) {
    Random random = new Random(seed);
    long now = random.nextLong() / 4;
    CircuitBreaker tested = new CircuitBreaker(FailureRate.ofLastSeconds(5, 20), PAUSE);
    Model model = new Model();
    int rejected = 0;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextInt(3) == 0 ? 0 : (long) (random.nextDouble() * SECOND / 4);
      CircuitBreaker.Permit permit = tested.tryAcquire(now);
      assertThat(permit != null).as("call %d of seed %d", i, seed).isEqualTo(model.tryAcquire(now));
      if (permit == null) {
        rejected++;
        continue;
      }
      boolean fails = random.nextInt(100) < (i / 500 % 2 == 0 ? 30 : 70);
      if (fails) {
        permit.failed(now);
      } else {
        permit.succeeded(now);
      }
      model.settle(fails, now);
    }
    assertThat(rejected).isBetween(1_000, 19_000);
  }

  /** A breaker for one call at a time, with all outcomes in a list. */
  private static final class Model {

    private record Call(long second, boolean failed) {}

    private final Deque<Call> calls = new ArrayDeque<>();
    private Long openedNanos;

    boolean tryAcquire(long now) {
      return openedNanos == null || now - openedNanos >= PAUSE;
    }

    void settle(boolean failed, long now) {
      if (openedNanos != null) { // a probe
        openedNanos = failed ? (Long) now : null;
        calls.clear();
        return;
      }
      long second = Math.floorDiv(now, SECOND);
      calls.add(new Call(second, failed));
      calls.removeIf(call -> call.second() <= second - 5);
      long failures = calls.stream().filter(Call::failed).count();
      if (calls.size() >= 20 && 2 * failures >= calls.size()) {
        openedNanos = now;
        calls.clear();
      }
    }
  }

  @Test
  void fewCallsAreJudgedByTheLastOnesWhateverTheirAge() {
    CircuitBreaker few = new CircuitBreaker(FailureRate.ofLastCalls(6), PAUSE);
    long now = 0;
    for (boolean failed : new boolean[] {false, true, false, true, false}) {
      CircuitBreaker.Permit permit = few.tryAcquire(now);
      if (failed) {
        permit.failed(now);
      } else {
        permit.succeeded(now);
      }
      now += 60 * SECOND;
    }
    few.tryAcquire(now).failed(now); // three of the last six
    assertThat(few.tryAcquire(now)).isNull();
  }
}
