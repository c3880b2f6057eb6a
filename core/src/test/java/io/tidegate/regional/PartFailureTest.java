package io.tidegate.regional;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.RateLimiter;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An origin of several parts, such as the masters of a cluster, one of which has failed. */
class PartFailureTest {

  private static final String FAILED = "c";
  private static final int USERS = 900;

  private final Fleet fleet = new Fleet();
  private boolean fails = true;
  private boolean silent;

  private static String partOf(Series series) {
    return List.of("a", "b", FAILED).get(Math.floorMod(series.identifier().hashCode(), 3));
  }

  private boolean isDown(WindowCell cell) {
    return fails && partOf(cell.series()).equals(FAILED);
  }

  private final RateLimiter node = RateLimiter.builder()
      .clock(fleet.time)
      .scheduler(fleet.time)
      .region("eu")
      .origin(new RegionalOrigin() {
        @Override
        public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
          return isDown(counts.get(0).cell()) ? down() : fleet.origin.read(counts);
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
          return counts.stream()
              .<CompletionStage<RegionalCount>>map(count -> isDown(count.cell())
                  ? down()
                  : fleet.origin.replay(List.of(count)).get(0))
              .toList();
        }

        @Override
        public String part(String region, Series series) {
          return partOf(series);
        }

        @Override
        public void close() {}
      })
      .build();

  private <T> CompletableFuture<T> down() {
    return silent
        ? new CompletableFuture<>()
        : CompletableFuture.failedFuture(new IllegalStateException("one master is down"));
  }

  @Test
  void newSeriesOfOtherPartsAreNeverDegraded() {
    for (int i = 0; i < 3_000; i++) {
      LimitRequest request = fleet.request("user_" + i, 10, 1);
      Decision decision = node.tryAcquire(request);
      assertThat(decision.degraded())
          .as("user_%d", i)
          .isEqualTo(partOf(new Series(request.scope(), request.identifier())).equals(FAILED));
      for (int part = 2; part < 6; part++) { // series of the failed part are retried
        fleet.take(node, "user_" + i / part, 10, 1);
      }
      fleet.time.advance(Duration.ofMillis(10));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @SuppressWarnings("FutureReturnValueIgnored") // the counts are checked, not the decisions
  void countsOfOtherPartsArriveWithoutDelay(boolean failsSilently) {
    silent = failsSilently;
    long[] taken = new long[USERS];
    for (int tick = 0; tick < 300; tick++) {
      for (int i = 0;
          i < 9;
          i++) { // different ones each time, so that unanswered messages accumulate
        int user = (9 * tick + i) % USERS;
        taken[user]++;
        fleet.takeAsync(node, "user_" + user, 1_000_000, 1);
      }
      fleet.tick();
      for (int user = 0; user < USERS; user++) {
        if (!partOf(new Series(fleet.scope, "user_" + user)).equals(FAILED)) {
          assertThat(fleet.total("user_" + user))
              .as("tick %d, user %d", tick, user)
              .isEqualTo(taken[user]);
        }
      }
    }
    fails = false;
    fleet.time.advance(Duration.ofSeconds(3));
    assertThat(node.stats().unconfirmedSeries()).isZero();
  }
}
