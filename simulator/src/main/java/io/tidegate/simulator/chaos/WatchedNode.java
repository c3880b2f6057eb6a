package io.tidegate.simulator.chaos;

import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.simulator.world.Node;
import io.tidegate.simulator.world.SimulatedException;
import io.tidegate.simulator.world.World;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.LimiterObserver;
import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Wraps adapters and observer of a node: checks see all messages, and faults disturb them. */
record WatchedNode(
    Node node, Scenario scenario, Referee referee, MessageCheck messages, FaultInjector faults)
    implements World.NodeCustomizer {

  @Override
  public RateLimiterBuilder limiter(RateLimiterBuilder builder) {
    return builder
        .maxSeries(scenario.maxSeries())
        .pushPolicy(scenario.policy().pushPolicy)
        .observer(observer());
  }

  /** Throws from every method as faults require. */
  private LimiterObserver observer() {
    Class<?>[] types = {LimiterObserver.class};
    return (LimiterObserver) Proxy.newProxyInstance(
        LimiterObserver.class.getClassLoader(), types, (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "liveSeriesEvicted" ->
              referee.evicted(node, new Series((Scope) arguments[0], (String) arguments[1]));
            case "originLostCounts" ->
              referee.reportedLoss(node, "its origin", FaultTrait.LOSES_ORIGIN_COUNTS);
            case "globalCountersLostCounts" ->
              referee.reportedLoss(node, "the database", FaultTrait.LOSES_GLOBAL_COUNTS);
            default -> {} // of no interest to the referee
          }
          if (faults.throwsNow(FaultKind.OBSERVER_THROWS, node)) {
            throw faults.failure();
          }
          return null;
        });
  }

  @Override
  public RegionalOrigin origin(RegionalOrigin origin) {
    return new Origin(origin);
  }

  @Override
  public @Nullable GlobalCounters counters(GlobalCounters counters) {
    return scenario.alone() ? null : new Counters(counters);
  }

  /** Fails a call: once in so many times with its answer, otherwise by throwing. */
  private <T> CompletionStage<T> fail(int times) {
    if (faults.choice(times) != 0) {
      faults.fail();
    }
    return CompletableFuture.failedFuture(faults.failure());
  }

  private final class Origin implements RegionalOrigin {

    private final RegionalOrigin origin;

    Origin(RegionalOrigin origin) {
      this.origin = origin;
    }

    @Override
    public CompletionStage<List<RegionalCount>> read(List<OwnCount> counts) {
      counts.stream()
          .filter(count -> count.count() > 0)
          .forEach(count -> messages.replays(node, count));
      if (faults.throwsNow(FaultKind.ORIGIN_CLIENT_THROWS, node)) {
        return fail(3);
      }
      int incarnation = referee.model(node).incarnation(counts.get(0).cell().series());
      return origin.read(counts).thenApply(answer -> {
        for (int i = 0; i < answer.size(); i++) {
          referee.received(node, counts.get(i).cell(), answer.get(i), incarnation);
        }
        return answer;
      });
    }

    @Override
    public List<CompletionStage<RegionalCount>> replay(List<OwnCount> counts) {
      counts.forEach(count -> messages.replays(node, count));
      boolean fails = faults.throwsNow(FaultKind.ORIGIN_CLIENT_THROWS, node);
      int choice = fails ? faults.choice(3) : 0;
      if (fails && choice == 0) {
        faults.fail();
      }
      List<CompletionStage<RegionalCount>> sent = origin.replay(counts);
      if (fails && choice == 1) {
        faults.fail(); // after everything was sent
      }
      List<CompletionStage<RegionalCount>> answers = new ArrayList<>();
      for (int i = 0; i < counts.size(); i++) {
        answers.add(
            fails && faults.choice(2) == 0
                ? CompletableFuture.failedFuture(faults.failure())
                : watched(counts.get(i).cell(), sent.get(i)));
      }
      return answers;
    }

    /** In a crowded node the answer may belong to an evicted series, and then has no effect. */
    private CompletionStage<RegionalCount> watched(
        WindowCell cell, CompletionStage<RegionalCount> answer) {
      int incarnation = referee.model(node).incarnation(cell.series());
      return scenario.isCrowded()
          ? answer
          : answer.thenApply(before -> {
            referee.received(node, cell, before, incarnation);
            return before;
          });
    }

    @Override
    public CompletionStage<Void> store(String region, List<Component> components) {
      components.forEach(component -> messages.stores(node, region, component));
      boolean fails = faults.throwsNow(FaultKind.ORIGIN_CLIENT_THROWS, node);
      if (fails && faults.choice(2) == 0) {
        return fail(2);
      }
      CompletionStage<Void> stored = origin.store(region, components);
      return fails ? fail(1) : stored; // takes effect, but its answer is lost
    }

    @Override
    public CompletionStage<LiveNodes> register(Registration registration) {
      return faults.throwsNow(FaultKind.ORIGIN_CLIENT_THROWS, node)
          ? fail(3)
          : origin.register(registration);
    }

    @Override
    public String part(String region, Series series) {
      return origin.part(region, series);
    }

    @Override
    public CompletionStage<OriginCell> inspect(String region, WindowCell cell) {
      return origin.inspect(region, cell);
    }

    @Override
    public void close() {}
  }

  private final class Counters implements GlobalCounters {

    private final GlobalCounters counters;

    Counters(GlobalCounters counters) {
      this.counters = counters;
    }

    @Override
    public CompletionStage<List<Component>> push(List<Component> components) {
      components.forEach(component -> messages.pushes(node, component));
      if (faults.throwsNow(FaultKind.DATABASE_CLIENT_THROWS, node)) {
        if (faults.choice(2) == 0) {
          var unused = counters.push(components); // takes effect, but its answer is lost
        }
        faults.fail();
      }
      return faults.isPushRefused()
          ? CompletableFuture.failedFuture(new SimulatedException("a deadlock"))
          : counters.push(components).thenApply(rejected -> {
            messages.pushed(components);
            return rejected;
          });
    }

    @Override
    public CompletionStage<Long> pull(
        String region, long since, long nowMillis, Consumer<Component> each) {
      boolean isReader = node.limiter().stats().reader().equals(Optional.of(node.name()));
      Consumer<Component> watched = isReader ? row -> {} : this::pulled; // stored in the origin
      return pull(watched.andThen(each), rows -> counters.pull(region, since, nowMillis, rows));
    }

    @Override
    public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
      Consumer<Component> watched = this::pulled;
      return pull(watched.andThen(each), rows -> counters.pullOwn(region, nowMillis, rows));
    }

    @Override
    public CompletionStage<List<Component>> components(WindowCell cell) {
      return counters.components(cell);
    }

    /** Pulls rows, unless the call fails or breaks off. */
    private <T> CompletionStage<T> pull(
        Consumer<Component> each, Function<Consumer<Component>, CompletionStage<T>> pull) {
      if (faults.throwsNow(FaultKind.DATABASE_CLIENT_THROWS, node)) {
        return fail(2);
      }
      int rows = faults.rowsBeforePullBreaks();
      int[] read = new int[1];
      CompletionStage<T> pulled = pull.apply(component -> {
        if (read[0]++ < rows) {
          each.accept(component);
        }
      });
      return pulled.thenApply(answer -> {
        if (read[0] > rows) {
          throw new SimulatedException("the connection broke");
        }
        return answer;
      });
    }

    /** A crowded node may skip what it has no room for; cells of the future are applied later. */
    private void pulled(Component component) {
      if (!scenario.isCrowded() && component.cell().startMillis() <= node.millis()) {
        referee.pulled(node, component);
      }
    }

    @Override
    public void close() {}
  }
}
