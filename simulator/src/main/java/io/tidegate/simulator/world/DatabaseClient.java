package io.tidegate.simulator.world;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A node's client of the database. Pulls overlap like those of the real adapter. */
final class DatabaseClient implements GlobalCounters {

  private static final long MIN_OVERLAP_MILLIS = 100;
  private static final long MAX_OVERLAP_MILLIS = 10_000;

  /** After this many pulls without a change, the last change is not read again. */
  private static final int MAX_QUIET_PULLS = 10;

  private record Answer(long next, List<Component> components) {}

  private final DatabaseServer server;
  private final NetworkLink link;
  private final Timeline timeline;
  private int quietPulls;

  /**
   * Time from the start of a statement to its commit, without the network. Decays with each pull,
   * so that the overlap shrinks when pushes are fast again.
   */
  private long slowestPushMillis;

  DatabaseClient(DatabaseServer server, NetworkLink link, Timeline timeline) {
    this.server = server;
    this.link = link;
    this.timeline = timeline;
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    CompletableFuture<Long> answer = link.call(arrived -> {
      server.upsert(components, arrived);
      return (timeline.nowNanos() - arrived) / 1_000_000;
    });
    return answer.thenApply(millis -> {
      slowestPushMillis = Math.max(slowestPushMillis, millis);
      return List.of();
    });
  }

  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    boolean quiet = quietPulls > MAX_QUIET_PULLS;
    long overlap = Math.min(MAX_OVERLAP_MILLIS, MIN_OVERLAP_MILLIS + 2 * slowestPushMillis);
    slowestPushMillis = slowestPushMillis * 7 / 8;
    CompletableFuture<Answer> answer = link.call(arrived -> {
      long newest = server.newestMillis();
      long next = newest < since ? EVERYTHING : newest;
      long begin = since == EVERYTHING ? 0 : quiet ? since + 1 : since - overlap;
      return new Answer(
          next, server.changedSince(begin, nowMillis, other -> !other.equals(region)));
    });
    return answer.thenApply(arrived -> {
      quietPulls = arrived.next == since ? quietPulls + 1 : 0;
      arrived.components.forEach(each);
      return arrived.next;
    });
  }

  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    CompletableFuture<List<Component>> answer =
        link.call(arrived -> server.changedSince(0, nowMillis, region::equals));
    return answer.thenAccept(own -> own.forEach(each));
  }

  @Override
  public CompletionStage<List<Component>> components(WindowCell cell) {
    return link.call(arrived -> server.components(cell));
  }

  @Override
  public void close() {}
}
