package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.Series;
import io.tidegate.runtime.CallReport;
import io.tidegate.spi.Component;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LimiterObserver.CallFailure;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Faulty origins and observers do not affect decisions. */
class OriginFailureTest {

  private final Fleet fleet = new Fleet();

  @Test
  void failuresHaveReasons() {
    assertThat(CallReport.reason(null)).isEqualTo(CallFailure.CIRCUIT_OPEN);
    assertThat(CallReport.reason(new TimeoutException())).isEqualTo(CallFailure.TIMEOUT);
    assertThat(CallReport.reason(new CompletionException(new TimeoutException())))
        .isEqualTo(CallFailure.TIMEOUT);
    assertThat(CallReport.reason(new IllegalStateException("READONLY")))
        .isEqualTo(CallFailure.OTHER);
  }

  private RateLimiter nodeOf(RegionalOrigin origin, LimiterObserver observer) {
    return RateLimiter.builder()
        .clock(fleet.time)
        .scheduler(fleet.time)
        .region("eu")
        .origin(origin)
        .observer(observer)
        .build();
  }

  /** Calls the real origin unless a test overrides it. */
  private class Misbehaving implements RegionalOrigin {

    boolean misbehaves = true;

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      return fleet.origin.read(counts);
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      return fleet.origin.store(region, components);
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return fleet.origin.register(registration);
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      return fleet.origin.replay(counts);
    }

    @Override
    public void close() {}
  }

  private void checkHeals(RateLimiter node, Misbehaving origin) {
    assertThat(fleet.take(node, "user", 10, 3).allowed()).isTrue();
    fleet.time.advance(Duration.ofSeconds(1));
    origin.misbehaves = false;
    fleet.time.advance(Duration.ofSeconds(6));
    assertThat(fleet.total("user")).isEqualTo(3);
    assertThat(node.stats().unconfirmedSeries()).isZero();
    Decision look = fleet.take(node, "user", 10, 0);
    assertThat(look.effectiveCount()).isEqualTo(3);
    assertThat(look.degraded()).isFalse();
  }

  @Test
  void originThatThrows() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
        if (misbehaves) {
          throw new NoClassDefFoundError("thrown by a test");
        }
        return super.read(counts);
      }

      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        if (misbehaves) {
          throw new IllegalStateException("thrown by a test");
        }
        return super.replay(counts);
      }
    };
    checkHeals(nodeOf(origin, LimiterObserver.NONE), origin);
  }

  @Test
  void originThatThrowsAnErrorForManySeries() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        if (misbehaves) {
          throw new NoClassDefFoundError("thrown by a test");
        }
        return super.replay(counts);
      }
    };
    RateLimiter node = nodeOf(origin, LimiterObserver.NONE);
    for (int i = 0; i < 300; i++) {
      fleet.take(node, "user_" + i, 10, 1);
    }
    fleet.time.advance(Duration.ofSeconds(1));
    origin.misbehaves = false;
    fleet.time.advance(Duration.ofSeconds(2));
    assertThat(node.stats().unconfirmedSeries()).isZero();
    for (int i = 0; i < 300; i++) {
      assertThat(fleet.total("user_" + i)).isEqualTo(1);
    }
  }

  @Test
  void originThatAnswersNullForOneMessageFailsThatOneOnly() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        List<CompletionStage<RegionalCount>> answers = new ArrayList<>(super.replay(counts));
        if (misbehaves) {
          answers.set(0, null);
        }
        return answers;
      }
    };
    RateLimiter node = nodeOf(origin, LimiterObserver.NONE);
    for (int i = 0; i < 300; i++) {
      fleet.take(node, "user_" + i, 10, 1);
    }
    fleet.tick();
    assertThat(node.stats().unconfirmedSeries()).isEqualTo(1);
    origin.misbehaves = false;
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(node.stats().unconfirmedSeries()).isZero();
  }

  @Test
  void originThatCannotNameItsPartsIsStillUsed() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public String part(String region, Series series) {
        throw new IllegalStateException("thrown by a test");
      }
    };
    checkHeals(nodeOf(origin, LimiterObserver.NONE), origin);
  }

  @Test
  void originThatAnswersTooFew() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
        return misbehaves ? CompletableFuture.completedFuture(List.of()) : super.read(counts);
      }

      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        return misbehaves ? List.of() : super.replay(counts);
      }
    };
    checkHeals(nodeOf(origin, LimiterObserver.NONE), origin);
  }

  @Test
  void originThatAnswersNull() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
        return misbehaves ? null : super.read(counts);
      }

      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        return misbehaves ? null : super.replay(counts);
      }
    };
    checkHeals(nodeOf(origin, LimiterObserver.NONE), origin);
  }

  /** An origin may be out of memory; successful loss checks must not hide that writes fail. */
  @Test
  void originThatReadsAndRejectsWritesGetsPauses() {
    Misbehaving origin = new Misbehaving() {
      @Override
      public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
        super.replay(counts);
        return misbehaves
            ? Collections.nCopies(
                counts.size(), CompletableFuture.failedFuture(new IllegalStateException("full")))
            : super.replay(counts);
      }
    };
    RateLimiter node = nodeOf(origin, LimiterObserver.NONE);
    for (int i = 0; i < 2_000; i++) {
      fleet.take(node, "user_" + i, 10, 1);
    }
    origin.misbehaves = false;
    fleet.take(node, "known", 10, 1);
    fleet.time.advance(Duration.ofSeconds(1)); // so that there are confirmed counts to check
    origin.misbehaves = true;
    for (int i = 0; i < 2_000; i++) {
      fleet.take(node, "user_" + i, 10, 1);
    }
    fleet.origin.clearCalls();
    fleet.time.advance(Duration.ofSeconds(10));
    assertThat(fleet.origin.reads()).hasSizeGreaterThan(300); // loss checks went on
    assertThat(fleet.origin.replays()).hasSizeLessThan(30_000); // 66,000 without a breaker
    origin.misbehaves = false;
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(node.stats().unconfirmedSeries()).isZero();
  }

  @Test
  void observerThatThrowsKeepsNoRequestWaiting() {
    RateLimiter node = nodeOf(fleet.origin, new LimiterObserver() {
      @Override
      public void originAnswered(OriginOperation operation, long nanos) {
        throw new IllegalStateException("thrown by a test");
      }

      @Override
      public void originFailed(OriginOperation operation, CallFailure failure) {
        throw new IllegalStateException("thrown by a test");
      }
    });
    assertThat(fleet.takeAsync(node, "one", 10, 1)).isCompleted();
    fleet.breakOrigin();
    assertThat(fleet.takeAsync(node, "two", 10, 1)).isCompleted();
    fleet.mendOrigin();
    fleet.time.advance(Duration.ofSeconds(1));
    assertThat(fleet.total("one")).isEqualTo(1);
    assertThat(fleet.total("two")).isEqualTo(1);
  }
}
