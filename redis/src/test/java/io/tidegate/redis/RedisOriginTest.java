package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.RateLimiter;
import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.OriginCell;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Writer;
import io.tidegate.testing.contract.RegionalOriginContract;
import io.tidegate.testkit.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisOriginTest extends RegionalOriginContract {

  private static final Writer WRITER = new Writer("eu", "one.1");

  private static RedisServer server;
  private static RedisOrigin origin;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    origin = RedisOrigin.connect(server.uri());
  }

  @AfterAll
  static void stop() {
    origin.close();
    server.close();
  }

  @Override
  protected RegionalOrigin origin() {
    return origin;
  }

  private static WindowCell cell(String identifier) {
    return new WindowCell(new Series(new Scope("acme", "login", 60_000), identifier), 29_913_089);
  }

  private static RegionalCount replay(String identifier, long count) {
    OwnCount own = new OwnCount(WRITER, cell(identifier), count);
    return origin.replay(List.of(own)).get(0).toCompletableFuture().join();
  }

  private static String key(String identifier) {
    return CellKey.of("eu", cell(identifier));
  }

  @Test
  void cellIsAHashThatExpiresAfterThreeWindows() {
    replay("user_42", 7);
    String key = "tidegate:{eu:acme:login:60000:user_42}:29913089:counts";
    assertThat(server.call("HGETALL", key)).containsExactlyInAnyOrder("one.1", "7", ":total", "7");
    assertThat(Long.parseLong(server.call("PTTL", key).get(0))).isBetween(170_000L, 180_000L);
  }

  @Test
  void inspectionLeavesTheExpiry() {
    replay("inspected", 7);
    server.call("PEXPIRE", key("inspected"), "100000");
    assertThat(inspect("inspected").writers()).containsExactly(Map.entry("one.1", 7L));
    assertThat(Long.parseLong(server.call("PTTL", key("inspected")).get(0)))
        .isBetween(1L, 100_000L);
    inspect("never counted");
    assertThat(server.call("EXISTS", key("never counted"))).containsExactly("0");
  }

  @Test
  void cellWithTooManyCountsIsNotInspected() {
    WindowCell cell = cell("crowded");
    List<OwnCount> counts = IntStream.range(0, CellStore.MAX_INSPECTED - 1)
        .mapToObj(i -> new OwnCount(new Writer("eu", "node." + i), cell, 1))
        .toList();
    origin.replay(counts).forEach(stage -> stage.toCompletableFuture().join());
    assertThat(inspect("crowded").writers()).hasSize(CellStore.MAX_INSPECTED - 1); // and the total
    replay("crowded", 1);
    assertThatThrownBy(() -> inspect("crowded"))
        .hasMessageContaining("too many counts to inspect: 10001 in " + key("crowded"));
  }

  @Test
  void inspectionRejectsWhatIsNotACount() {
    server.call("HSET", key("corrupt"), "one.1", "many");
    assertThatThrownBy(() -> inspect("corrupt")).hasMessageContaining("many");
  }

  private static OriginCell inspect(String identifier) {
    return origin.inspect("eu", cell(identifier)).toCompletableFuture().join();
  }

  @Test
  void everyCountSetsTheExpiry() {
    replay("expiring", 7);
    server.call("PERSIST", key("expiring")); // as if it had been created without expiry
    replay("expiring", 7);
    assertThat(Long.parseLong(server.call("PTTL", key("expiring")).get(0))).isPositive();
  }

  @Test
  void keyOfTheWrongTypeFailsItsOwnCountOnly() {
    server.call("SET", key("wrong type"), "x");
    List<CompletionStage<RegionalCount>> answers = origin.replay(List.of(
        new OwnCount(WRITER, cell("left"), 1),
        new OwnCount(WRITER, cell("wrong type"), 2),
        new OwnCount(WRITER, cell("right"), 3)));
    assertThat(answers.get(0).toCompletableFuture().join()).isEqualTo(new RegionalCount(0, 0));
    assertThat(answers.get(2).toCompletableFuture().join()).isEqualTo(new RegionalCount(0, 0));
    assertThatThrownBy(() -> answers.get(1).toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("WRONGTYPE");
    assertThat(server.call("HGET", key("right"), "one.1")).containsExactly("3");
  }

  @Test
  void identityIsAPlainKeyThatDoesNotExpire() {
    origin.identify("eu central", "9f2c1k").toCompletableFuture().join();
    String key = "tidegate:{eu%20central}:identity";
    assertThat(server.call("GET", key)).containsExactly("9f2c1k");
    assertThat(server.call("PTTL", key)).containsExactly("-1");
  }

  @Test
  void isOnePart() {
    assertThat(origin.part("eu", cell("one").series()))
        .isEqualTo(origin.part("eu", cell("another").series()))
        .isEmpty();
  }

  @Test
  void invalidUrisAreRejectedWithAnExample() {
    assertThatThrownBy(() -> RedisOrigin.connect("localhost"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis://user:password@host:6379");
    assertThatThrownBy(() -> RedisOrigin.connect("http://localhost"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("redis://user:password@host:6379");
    assertThatThrownBy(() -> RedisOrigin.connect("redis://user:se cret@host:6379"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at index")
        .hasMessageNotContaining("cret")
        .hasNoCause();
    assertThatThrownBy(() -> RedisOrigin.connect(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("uri");
    assertThatThrownBy(RedisOrigin::connectCluster)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one URI");
  }

  /** Closing ends that thread. */
  @Test
  void canBeClosedByTheThreadOfAnAnswer() {
    RateLimiter node = RateLimiter.builder()
        .region("eu")
        .origin(RedisOrigin.connect(server.uri()))
        .build();
    node.tryAcquire(Nodes.request("connecting", 10, 1)); // so that the next read is in time
    CompletableFuture<String> closedOn = node.tryAcquireAsync(Nodes.request("closing", 10, 1))
        .thenApply(decision -> {
          node.close();
          return Thread.currentThread().getName();
        })
        .toCompletableFuture();
    assertThat(closedOn.orTimeout(20, TimeUnit.SECONDS).join()).isNotEmpty();
    Nodes.await("the count to arrive", () -> Nodes.total(server, "closing") == 1);
  }
}
