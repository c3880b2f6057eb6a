package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.OwnCount;
import io.tidegate.spi.RegionalCount;
import io.tidegate.spi.Writer;
import io.tidegate.testkit.RedisServer;
import io.tidegate.testkit.TcpProxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The stored form of cells. */
class CellStoreTest {

  private static final Writer WRITER = writer(0);

  private static RedisServer server;
  private static TcpProxy proxy;
  private static RedisOrigin origin;

  @BeforeAll
  static void start() {
    server = RedisServer.start();
    proxy = TcpProxy.start(server.port());
    origin = RedisOrigin.connect("redis://127.0.0.1:" + proxy.port());
  }

  @AfterAll
  static void stop() {
    origin.close();
    proxy.close();
    server.close();
  }

  private static Writer writer(int number) {
    return new Writer("eu", "9f2c1kq0a." + number);
  }

  private static WindowCell cell(String identifier) {
    return new WindowCell(new Series(new Scope("acme", "login", 60_000), identifier), 29_913_089);
  }

  private static String key(String identifier) {
    return CellKey.of("eu", cell(identifier));
  }

  private static <T> T answer(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static List<RegionalCount> raise(List<OwnCount> counts) {
    return origin.replay(counts).stream().map(CellStoreTest::answer).toList();
  }

  private static RegionalCount read(String identifier) {
    return answer(origin.read(List.of(new OwnCount(WRITER, cell(identifier), 0))))
        .get(0);
  }

  private static long total(String identifier) {
    return Nodes.total(server.call("HGETALL", key(identifier)));
  }

  /** Bytes to and from Redis for one message and one read of a cell. */
  private static long exchangedBytes(int writers) {
    String identifier = "writers_" + writers;
    raise(IntStream.range(0, writers)
        .mapToObj(i -> new OwnCount(writer(i), cell(identifier), 1_000_000 + i))
        .toList());
    long total = IntStream.range(0, writers).mapToLong(i -> 1_000_000 + i).sum();
    long before = proxy.bytesForwarded();
    assertThat(raise(List.of(new OwnCount(WRITER, cell(identifier), 2_000_000))))
        .containsExactly(new RegionalCount(total, 1_000_000));
    assertThat(read(identifier)).isEqualTo(new RegionalCount(total + 1_000_000, 2_000_000));
    return proxy.bytesForwarded() - before;
  }

  @Test
  void messagesDoNotGrowWithWriters() {
    exchangedBytes(2); // loads the script
    long ofOne = exchangedBytes(1);
    long ofMany = exchangedBytes(5_000);
    assertThat(ofMany).isLessThan(ofOne + 50); // the total and the name have more digits
    assertThat(Nodes.total(server.call("HGETALL", key("writers_5000"))))
        .isEqualTo(5_000L * 1_000_000 + 4_999L * 2_500 + 1_000_000);
  }

  /** Sends over two connections, in random order, and each count twice, as repeated replays do. */
  @Test
  void totalIsTheSumOfTheGreatestCounts() {
    Random random = new Random(13);
    try (RedisOrigin other = RedisOrigin.connect(server.uri())) {
      for (int round = 0; round < 20; round++) {
        WindowCell cell = cell("round_" + round);
        List<OwnCount> counts = new ArrayList<>();
        long sum = 0;
        for (int number = 0; number < 50; number++) {
          long greatest = 1L + random.nextInt(1_000_000);
          sum += greatest;
          for (int i = 0; i < 20; i++) {
            long count = i == 0 ? greatest : 1 + random.nextLong(greatest);
            counts.addAll(Collections.nCopies(2, new OwnCount(writer(number), cell, count)));
          }
        }
        Collections.shuffle(counts, random);
        List<CompletableFuture<List<CompletionStage<RegionalCount>>>> calls = new ArrayList<>();
        for (int from = 0; from < counts.size(); from += 100) {
          List<OwnCount> part = counts.subList(from, from + 100);
          RedisOrigin through = random.nextBoolean() ? origin : other;
          calls.add(CompletableFuture.supplyAsync(() -> through.replay(part)));
        }
        calls.forEach(call -> answer(call).forEach(CellStoreTest::answer));
        assertThat(total("round_" + round)).isEqualTo(sum);
      }
    }
  }

  /** After a restart or a failover, the first messages find that Redis lacks the script. */
  @Test
  void scriptIsSentAgainWhenRedisLostIt() {
    server.call("SCRIPT", "FLUSH");
    List<OwnCount> counts = IntStream.range(0, 1_000)
        .mapToObj(i -> new OwnCount(WRITER, cell("flushed_" + i), i + 1))
        .toList();
    assertThat(raise(counts)).hasSize(1_000).allMatch(new RegionalCount(0, 0)::equals);
    assertThat(IntStream.range(0, 1_000)).allMatch(i -> total("flushed_" + i) == i + 1);
    long before = calls("eval");
    raise(counts);
    assertThat(calls("eval")).isEqualTo(before);
  }

  private static long calls(String command) {
    String stats = server.call("INFO", "commandstats").get(0);
    int start = stats.indexOf("cmdstat_" + command + ":calls=");
    return Long.parseLong(
        stats.substring(stats.indexOf('=', start) + 1, stats.indexOf(',', start)));
  }

  @Test
  void invalidStoredCountsAreRejected() {
    for (String value :
        List.of("-5", "9007199254740993", "99999999999999999999", "1.5", "inf", "x")) {
      server.call("DEL", key("bad"));
      server.call("HSET", key("bad"), ":total", value, "9f2c1kq0a.0", "1");
      assertThatThrownBy(() -> read("bad"))
          .hasMessageContaining("not a count from 0 to 2^53: " + value + " in " + key("bad"));
      if (!value.equals("9007199254740993")) { // equal to 2^53 in the script, rejected afterwards
        assertThatThrownBy(() -> raise(List.of(new OwnCount(WRITER, cell("bad"), 7))))
            .hasMessageContaining(value)
            .hasMessageContaining(key("bad"));
      }
      assertThat(server.call("HGET", key("bad"), ":total")).containsExactly(value);
    }
  }

  @Test
  void countGreaterThanTheTotalIsRejected() {
    server.call("HSET", key("part"), ":total", "3", "9f2c1kq0a.0", "5");
    assertThatThrownBy(() -> read("part")).hasMessageContaining("5, 3");
    assertThatThrownBy(() -> raise(List.of(new OwnCount(WRITER, cell("part"), 7))))
        .hasMessageContaining("3, 5 in " + key("part"));
    assertThat(server.call("HGET", key("part"), ":total")).containsExactly("3");
  }

  @Test
  void countsAreExactUpToTheMaximumAndRejectedBeyond() {
    long greatest = 1L << 53;
    raise(List.of(new OwnCount(WRITER, cell("greatest"), greatest - 3)));
    raise(List.of(new OwnCount(writer(1), cell("greatest"), 3)));
    assertThat(total("greatest")).isEqualTo(greatest);
    assertThatThrownBy(() -> raise(List.of(new OwnCount(writer(1), cell("greatest"), 4))))
        .hasMessageContaining("exceed 2^53: 4 in " + key("greatest"));
    assertThatThrownBy(() -> raise(List.of(new OwnCount(WRITER, cell("beyond"), greatest + 1))))
        .hasMessageContaining("count must not exceed 2^53: 9007199254740993");
    assertThat(total("greatest")).isEqualTo(greatest);
  }

  /** Sorted sets, as versions before 0.1.0 stored, have other keys. */
  @Test
  void cellOfAFormerFormatIsIgnored() {
    server.call("ZADD", key("former").replace(":counts", ""), "7", "writer");
    assertThat(read("former")).isEqualTo(new RegionalCount(0, 0));
    assertThat(raise(List.of(new OwnCount(WRITER, cell("former"), 1))))
        .containsExactly(new RegionalCount(0, 0));
  }

  private static void store(Component... components) {
    answer(origin.store("eu", List.of(components)));
  }

  private static Component component(String region, String identifier, long count) {
    return new Component(region, cell(identifier), count);
  }

  @Test
  void countsOfRegionsAreFieldsOfTheCell() {
    store(
        component("us", "regions", 7),
        component("ap: 1", "regions", 4),
        component("eu", "regions", 5));
    assertThat(server.call("HGETALL", key("regions")))
        .containsExactlyInAnyOrder(
            ":from:us",
            "7",
            ":from:ap%3a%201",
            "4",
            ":imported",
            "11",
            ":regions",
            "2",
            ":pushed",
            "5");
    store(component("us", "regions", 9), component("ap: 1", "regions", 3));
    assertThat(server.call("HMGET", key("regions"), ":from:us", ":imported", ":regions"))
        .containsExactly("9", "13", "2");
    raise(List.of(new OwnCount(WRITER, cell("regions"), 6)));
    assertThat(total("regions")).isEqualTo(6);
  }

  @Test
  void everyStoreSetsTheExpiry() {
    for (String region : List.of("us", "eu")) {
      String identifier = "expiring " + region;
      store(component(region, identifier, 7));
      assertThat(lifetimeMillis(identifier)).isBetween(170_000L, 180_000L);
      server.call("PERSIST", key(identifier)); // as if it had been created without expiry
      store(component(region, identifier, 7));
      assertThat(lifetimeMillis(identifier)).isBetween(170_000L, 180_000L);
    }
  }

  private static long lifetimeMillis(String identifier) {
    return Long.parseLong(server.call("PTTL", key(identifier)).get(0));
  }

  @Test
  void messagesDoNotGrowWithRegions() {
    store(component("us", "one region", 1_000_000));
    for (int i = 0; i < 1_000; i++) {
      store(component("region_" + i, "many regions", 1_000));
    }
    long ofOne = exchangedBytes("one region");
    assertThat(exchangedBytes("many regions")).isLessThan(ofOne + 20); // names and digits
    assertThat(read("many regions")).isEqualTo(new RegionalCount(1, 1, 1_000_000, 1_000, 0));
  }

  /** Bytes to and from Redis for one message and one read of a cell. */
  private static long exchangedBytes(String identifier) {
    long before = proxy.bytesForwarded();
    raise(List.of(new OwnCount(WRITER, cell(identifier), 1)));
    read(identifier);
    return proxy.bytesForwarded() - before;
  }

  /** As two readers do: sends over two connections, in random order, and each count twice. */
  @Test
  void importedCountIsTheSumOfTheGreatestCounts() {
    Random random = new Random(15);
    try (RedisOrigin other = RedisOrigin.connect(server.uri())) {
      for (int round = 0; round < 20; round++) {
        String identifier = "imports_" + round;
        List<Component> components = new ArrayList<>();
        long sum = 0;
        for (int region = 0; region < 30; region++) {
          long greatest = 1L + random.nextInt(1_000_000);
          sum += greatest;
          for (int i = 0; i < 20; i++) {
            long count = i == 0 ? greatest : 1 + random.nextLong(greatest);
            Component component = component("region_" + region, identifier, count);
            components.addAll(Collections.nCopies(2, component));
          }
        }
        Collections.shuffle(components, random);
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int from = 0; from < components.size(); from += 100) {
          List<Component> part = components.subList(from, from + 100);
          RedisOrigin through = random.nextBoolean() ? origin : other;
          calls.add(CompletableFuture.runAsync(() -> answer(through.store("eu", part))));
        }
        calls.forEach(CellStoreTest::answer);
        assertThat(read(identifier)).isEqualTo(new RegionalCount(0, 0, sum, 30, 0));
        assertThat(total(identifier)).isZero();
      }
    }
  }

  @Test
  void storeScriptIsSentAgainWhenRedisLostIt() {
    server.call("SCRIPT", "FLUSH");
    List<Component> components = IntStream.range(0, 1_000)
        .mapToObj(i -> component("us", "lost_" + i, i + 1))
        .toList();
    answer(origin.store("eu", components));
    assertThat(IntStream.range(0, 1_000)).allMatch(i -> read("lost_" + i).imported() == i + 1);
    long before = calls("eval");
    answer(origin.store("eu", components));
    assertThat(calls("eval")).isEqualTo(before);
  }

  @Test
  void invalidStoredCountsOfRegionsAreRejected() {
    for (String field : List.of(":from:us", ":imported", ":regions", ":pushed")) {
      for (String value :
          List.of("-5", "9007199254740994", "99999999999999999999", "1.5", "inf", "nan", "x")) {
        server.call("DEL", key("bad"));
        server.call("HSET", key("bad"), ":from:us", "1", ":imported", "3", ":regions", "2");
        server.call("HSET", key("bad"), field, value);
        List<String> stored = server.call("HGETALL", key("bad"));
        String region = field.equals(":pushed") ? "eu" : "us";
        assertThatThrownBy(() -> store(component(region, "bad", 7)))
            .as("%s %s", field, value)
            .hasMessageContaining(value)
            .hasMessageContaining(" in " + key("bad"));
        assertThat(server.call("HGETALL", key("bad"))).isEqualTo(stored);
        if (!field.equals(":from:us")) { // which answers do not contain
          assertThatThrownBy(() -> read("bad"))
              .hasMessageContaining("not a count from 0 to 2^53: " + value + " in " + key("bad"));
        }
      }
    }
  }

  @Test
  void inconsistentCountsOfRegionsAreRejected() {
    checkRejected("4", "3", "2"); // a part greater than the sum
    checkRejected("1", "3", "0"); // a sum over no regions
    checkRejected("0", "0", "1"); // a region without a count
    checkRejected("1", "3", "4"); // more regions than tokens
  }

  private static void checkRejected(String part, String imported, String regions) {
    String key = key("inconsistent");
    server.call("HSET", key, ":from:us", part, ":imported", imported, ":regions", regions);
    assertThatThrownBy(() -> store(component("us", "inconsistent", 7)))
        .hasMessageContaining(part + ", " + imported + ", " + regions + " in " + key);
    assertThat(server.call("HMGET", key, ":from:us", ":imported", ":regions"))
        .containsExactly(part, imported, regions);
  }

  @Test
  void impossibleNumberOfRegionsIsRejected() {
    server.call("HSET", key("crowd"), ":imported", "3000000000", ":regions", "3000000000");
    assertThatThrownBy(() -> read("crowd"))
        .hasMessageContaining("not a number of regions: 3000000000 in " + key("crowd"));
  }

  @Test
  void importsAreExactUpToTheMaximumAndRejectedBeyond() {
    long greatest = 1L << 53;
    store(component("us", "full", greatest - 3), component("ap", "full", 3));
    assertThat(read("full")).isEqualTo(new RegionalCount(0, 0, greatest, 2, 0));
    assertThatThrownBy(() -> store(component("ap", "full", 4)))
        .hasMessageContaining("exceed 2^53: 4 in " + key("full"));
    assertThatThrownBy(() -> store(component("sa", "full", 1)))
        .hasMessageContaining("exceed 2^53: 1 in " + key("full"));
    for (String region : List.of("us", "eu")) {
      assertThatThrownBy(() -> store(component(region, "full", greatest + 1)))
          .hasMessageContaining("count must not exceed 2^53: 9007199254740993 in " + key("full"));
    }
    assertThat(read("full")).isEqualTo(new RegionalCount(0, 0, greatest, 2, 0));
    store(component("eu", "full", greatest)); // the sum does not contain it
    assertThat(read("full").pushed()).isEqualTo(greatest);
  }

  @Test
  void componentThatFailsDoesNotAffectOthers() {
    server.call("SET", key("wrong type"), "x");
    assertThatThrownBy(() -> store(
            component("us", "left", 1),
            component("us", "wrong type", 2),
            component("us", "too great", (1L << 53) + 1),
            component("us", "right", 3)))
        .hasMessageContaining("WRONGTYPE");
    assertThat(read("left").imported()).isEqualTo(1);
    assertThat(read("right").imported()).isEqualTo(3);
  }
}
