package io.tidegate.benchmarks.local;

import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An origin that confirms every count and stores none, so that the heap holds only what the limiter
 * stores.
 */
final class ConfirmingOrigin implements RegionalOrigin {

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    return CompletableFuture.completedFuture(
        counts.stream().map(ConfirmingOrigin::confirmed).toList());
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    return counts.stream()
        .<CompletionStage<RegionalCount>>map(
            count -> CompletableFuture.completedFuture(confirmed(count)))
        .toList();
  }

  private static RegionalCount confirmed(OwnCount own) {
    return new RegionalCount(own.count(), own.count());
  }

  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    return CompletableFuture.completedFuture(new LiveNodes(2, Optional.empty(), false));
  }

  @Override
  public void close() {}
}
