package io.tidegate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import io.tidegate.spi.Writer;
import io.tidegate.testing.contract.RegionalOriginContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InMemoryOriginTest extends RegionalOriginContract {

  private static final WindowCell CELL =
      new WindowCell(new Series(new Scope("acme", "login", 60_000), "user_42"), 57);
  private static final List<Component> COMPONENTS =
      List.of(new Component("us", CELL, 7), new Component("eu", CELL, 3));

  private final InMemoryOrigin origin = new InMemoryOrigin();

  @Override
  protected RegionalOrigin origin() {
    return origin;
  }

  private RegionalCount read() {
    OwnCount nothing = new OwnCount(new Writer("eu", "one.1"), CELL, 0);
    return origin.read(List.of(nothing)).toCompletableFuture().join().get(0);
  }

  private LiveNodes register(String node) {
    Registration registration = new Registration("eu", node, Duration.ofSeconds(3), true);
    return origin.register(registration).toCompletableFuture().join();
  }

  @Test
  void storesAreListedUntilTheyAreCleared() {
    origin.store("eu", COMPONENTS);
    origin.store("eu", COMPONENTS.subList(0, 1));
    assertThat(origin.stores())
        .containsExactly(COMPONENTS.get(0), COMPONENTS.get(1), COMPONENTS.get(0));
    origin.clearCalls();
    assertThat(origin.stores()).isEmpty();
    assertThat(read()).isEqualTo(new RegionalCount(0, 0, 7, 1, 3));
  }

  @Test
  void failedStoreChangesNothing() {
    origin.fail(new IllegalStateException("down"));
    CompletableFuture<Void> failed = origin.store("eu", COMPONENTS).toCompletableFuture();
    assertThatThrownBy(failed::join).hasMessageContaining("down");
    origin.fail(null);
    assertThat(read()).isEqualTo(RegionalCount.NONE);
  }

  @Test
  void delayedStoreTakesEffectWhenItIsReleased() {
    origin.hold();
    CompletableFuture<Void> delayed = origin.store("eu", COMPONENTS).toCompletableFuture();
    assertThat(delayed).isNotDone();
    origin.release();
    assertThat(delayed).isCompleted();
    assertThat(read()).isEqualTo(new RegionalCount(0, 0, 7, 1, 3));
  }

  @Test
  void lostCountsIncludeImportsAndTheReader() {
    origin.store("eu", COMPONENTS);
    register("one");
    origin.loseCounts();
    assertThat(read()).isEqualTo(RegionalCount.NONE);
    assertThat(origin.reader("eu")).isEmpty();
    assertThat(register("one")).isEqualTo(new LiveNodes(1, Optional.of("one"), true));
  }

  @Test
  void expiredReaderIsReplaced() {
    register("one");
    register("two");
    origin.expireNodes();
    assertThat(register("two")).isEqualTo(new LiveNodes(1, Optional.of("two"), true));
    assertThat(origin.reader("eu")).contains("two");
    assertThat(origin.reader("us")).isEmpty();
  }
}
