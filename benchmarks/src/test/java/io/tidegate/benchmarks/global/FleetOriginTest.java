package io.tidegate.benchmarks.global;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Writer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetOriginTest {

  private final FleetOrigin origin = new FleetOrigin();
  private final Writer one = new Writer("eu", "one");
  private final Writer other = new Writer("eu", "other");
  private final WindowCell cell =
      new WindowCell(new Series(Scope.of("acme", "login", Duration.ofMinutes(1)), "user"), 10);

  @Test
  void addsUpTheCountsOfItsNodes() {
    assertThat(raise(one, 3)).isEqualTo(new RegionalCount(0, 0));
    assertThat(raise(other, 4)).isEqualTo(new RegionalCount(3, 0));
    assertThat(raise(one, 5)).isEqualTo(new RegionalCount(7, 3));
    assertThat(raise(one, 2)).as("never lowered").isEqualTo(new RegionalCount(9, 5));
    assertThat(read()).isEqualTo(new RegionalCount(9, 5));
  }

  @Test
  void removesExpiredCells() {
    raise(one, 3);
    origin.removeExpired(cell.expiresAtMillis() + 60_000);
    assertThat(read().total()).isEqualTo(3);
    origin.removeExpired(cell.expiresAtMillis() + 60_001);
    assertThat(read().total()).isZero();
  }

  private RegionalCount raise(Writer writer, long count) {
    return origin
        .replay(List.of(new OwnCount(writer, cell, count)))
        .get(0)
        .toCompletableFuture()
        .join();
  }

  private RegionalCount read() {
    return origin.read(one, List.of(cell)).toCompletableFuture().join().get(0);
  }
}
