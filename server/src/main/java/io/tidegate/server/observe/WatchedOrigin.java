package io.tidegate.server.observe;

import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.server.observe.Dependency.Access;
import io.tidegate.spi.Component;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Delegates to an origin and records why calls fail, because the limiter's observer receives only
 * the kind of failure. A reason is recorded before the stage of its call completes.
 */
final class WatchedOrigin implements RegionalOrigin {

  private final RegionalOrigin origin;
  private final Dependency dependency;

  WatchedOrigin(RegionalOrigin origin, Dependency dependency) {
    this.origin = origin;
    this.dependency = dependency;
  }

  @Override
  public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
    return dependency.watch(Access.READ, () -> origin.read(counts));
  }

  @Override
  public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
    try {
      List<CompletionStage<RegionalCount>> answers = origin.replay(counts);
      List<CompletionStage<RegionalCount>> watched = new ArrayList<>(answers.size());
      for (CompletionStage<RegionalCount> answer : answers) {
        watched.add(dependency.watch(Access.WRITE, () -> answer));
      }
      return watched;
    } catch (RuntimeException | Error e) {
      dependency.recordReason(Access.WRITE, e);
      throw e;
    }
  }

  @Override
  public CompletionStage<Void> store(String region, List<Component> components) {
    return dependency.watch(Access.WRITE, () -> origin.store(region, components));
  }

  @Override
  public CompletionStage<LiveNodes> register(Registration registration) {
    return dependency.watch(Access.WRITE, () -> origin.register(registration));
  }

  @Override
  public String part(String region, Series series) {
    return origin.part(region, series);
  }

  @Override
  public CompletionStage<Optional<String>> identify(String region, String candidate) {
    return origin.identify(region, candidate);
  }

  /** Not recorded: an inspection says itself why it failed, and decisions do not depend on it. */
  @Override
  public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
    return origin.inspect(region, cell);
  }

  @Override
  public void close() {
    origin.close();
  }
}
