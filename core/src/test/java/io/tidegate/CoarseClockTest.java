package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Limit;
import io.tidegate.model.LimitRequest;
import io.tidegate.testing.VirtualTime;
import io.tidegate.testing.property.Generator;
import io.tidegate.testing.property.Property;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CoarseClockTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final long WINDOW_MILLIS = 1_000;
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private static final Limit FIVE = Limit.of(5, Duration.ofMillis(WINDOW_MILLIS));

  /** The system's clock, and the thread that reads it, which runs when a test says so. */
  private final VirtualTime system = VirtualTime.startingAt(START);

  private final VirtualTime thread = VirtualTime.startingAt(START);
  private final CoarseClock clock = new CoarseClock(system, thread);

  @Test
  void showsTheTimeOfTheLastUpdate() {
    assertThat(clock.instant()).isEqualTo(START);
    system.advance(Duration.ofMillis(7));
    assertThat(clock.millis()).isEqualTo(START.toEpochMilli());
    thread.advance(MILLISECOND);
    assertThat(clock.millis()).isEqualTo(START.toEpochMilli() + 7);
    assertThat(clock.instant()).isEqualTo(START.plusMillis(7));
  }

  @Test
  void followsAClockThatIsSetBack() {
    system.advance(Duration.ofHours(-1));
    thread.advance(MILLISECOND);
    assertThat(clock.instant()).isEqualTo(START.minusSeconds(3_600));
  }

  @Test
  void readsTheSystemClockAfterItWasClosed() {
    clock.close();
    clock.close();
    system.advance(Duration.ofMillis(7));
    assertThat(clock.instant()).isEqualTo(START.plusMillis(7));
  }

  @Test
  void isNotUpdatedAfterItWasClosed() {
    AtomicInteger readings = new AtomicInteger();
    InstantSource counted = () -> {
      readings.incrementAndGet();
      return START;
    };
    CoarseClock closed = new CoarseClock(counted, thread);
    thread.advance(MILLISECOND);
    assertThat(readings).hasValue(2); // when it was created, and by the thread
    closed.close();
    thread.advance(MILLISECOND);
    assertThat(readings).hasValue(2);
  }

  @Test
  void limiterDoesNotCloseItsClock() {
    RateLimiter.builder().clock(clock).scheduler(system).build().close();
    system.advance(MILLISECOND);
    assertThat(clock.instant()).isEqualTo(START);
  }

  /** The machine is slow, so only the order of the readings is exact. */
  @Test
  void isNeverAheadOfTheSystemAndAlwaysCatchesUp() {
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    try (CoarseClock real = CoarseClock.start()) {
      for (int i = 0; i < 20; i++) {
        long began = System.currentTimeMillis();
        long shown;
        do {
          shown = real.millis();
          assertThat(shown).isLessThanOrEqualTo(System.currentTimeMillis());
          assertThat(System.nanoTime())
              .as("time of the last update: " + shown)
              .isLessThan(deadlineNanos);
        } while (shown <= began);
      }
    }
  }

  @Test
  void allClocksShareADaemonThread() {
    try (CoarseClock one = CoarseClock.start();
        CoarseClock other = CoarseClock.start()) {
      assertThat(one).isNotSameAs(other);
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(each -> each.getName().equals("tidegate-clock"))
          .singleElement()
          .matches(Thread::isDaemon);
    }
  }

  /** Late by less than a window, as {@code nowMillis} may be. */
  @Test
  void decisionsAreThoseOfTheTimeThatItShows() {
    Property.check(300, random -> {
      VirtualTime ofSystem = VirtualTime.startingAt(START);
      VirtualTime ofThread = VirtualTime.startingAt(START);
      CoarseClock coarse = new CoarseClock(ofSystem, ofThread);
      RateLimiter limiter =
          RateLimiter.builder().clock(coarse).scheduler(ofSystem).build();
      RateLimiter given =
          RateLimiter.builder().clock(ofSystem).scheduler(ofSystem).build();
      for (int i = random.sized(200); i > 0; i--) {
        ofSystem.advance(Duration.ofMillis(random.ofAnyMagnitude(3_000)));
        if (random.nextBoolean() || ofSystem.millis() - coarse.millis() >= WINDOW_MILLIS) {
          ofThread.advance(MILLISECOND);
        }
        LimitRequest request = request(random);
        assertThat(limiter.tryAcquire(request))
            .isEqualTo(given.tryAcquire(request, coarse.millis()));
      }
    });
  }

  private static LimitRequest request(Generator random) {
    return LimitRequest.of("acme", "login", random.oneOf("a", "b"), FIVE)
        .withCost(random.between(0, 6));
  }
}
