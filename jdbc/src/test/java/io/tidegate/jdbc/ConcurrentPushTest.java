package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.model.Scope;
import io.tidegate.model.Series;
import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.testkit.MariaDbServer;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several nodes write the same rows at once. */
class ConcurrentPushTest {

  private static MariaDbServer server;
  private static final List<JdbcGlobalCounters> NODES = new ArrayList<>();

  @BeforeAll
  static void start() {
    server = MariaDbServer.start();
    Fleet.createTables(server);
    for (int i = 0; i < 4; i++) {
      NODES.add(JdbcGlobalCounters.builder(server.jdbcUrl()).withoutCleanup().connect());
    }
  }

  @AfterAll
  static void stop() {
    NODES.forEach(JdbcGlobalCounters::close);
    server.close();
  }

  @BeforeEach
  void empty() {
    server.execute("DELETE FROM ratelimit_window_counts");
    server.execute("DROP TRIGGER IF EXISTS tidegate.slow");
  }

  private static Component component(int user, long count) {
    Series series = new Series(Fleet.SCOPE, "user_" + user);
    return new Component("eu", WindowCell.at(series, System.currentTimeMillis()), count);
  }

  private static List<Component> shuffled(int users, long count, Random random) {
    List<Component> components = new ArrayList<>(
        IntStream.range(0, users).mapToObj(i -> component(i, count)).toList());
    Collections.shuffle(components, random);
    return components;
  }

  private static long deadlocks() {
    return Fleet.deadlocks(server);
  }

  @Test
  void rowsAreInTheOrderOfThePrimaryKey() throws CharacterCodingException {
    for (int run = 0; run < 20; run++) {
      List<CounterRow> rows = new ArrayList<>();
      for (Component component : shuffled(8, 1, new Random(run))) {
        rows.add(CounterRow.of(component));
        rows.add(
            CounterRow.of(new Component("asia", component.cell().previous(), component.count())));
      }
      rows.sort(CounterRow.KEY_ORDER);
      for (CounterRow row : rows) {
        NODES.get(0).push(List.of(row.component())).toCompletableFuture().join();
      }
      List<List<String>> byKey = server.query(
          "SELECT identifier, sequence, region FROM ratelimit_window_counts ORDER BY pk");
      assertThat(rows.stream()
              .map(row -> List.of(
                  row.component().cell().series().identifier(),
                  Long.toString(row.component().cell().sequence()),
                  row.component().region()))
              .toList())
          .isEqualTo(byKey);
    }
  }

  /** Each row stays locked for a while: in different orders, two writers would deadlock. */
  @Test
  void writersOfTheSameRowsDoNotDeadlock() {
    NODES.get(0).push(shuffled(4, 1, new Random())).toCompletableFuture().join();
    server.execute("CREATE TRIGGER tidegate.slow BEFORE UPDATE ON ratelimit_window_counts"
        + " FOR EACH ROW SET @ignored = SLEEP(0.02)");
    long before = deadlocks();
    Random random = new Random(42);
    for (int round = 2; round < 17; round++) {
      pushAll(4, round, 2, random);
    }
    assertThat(deadlocks()).isEqualTo(before);
  }

  /** Inserts can lock the gaps around new rows as well. */
  @Test
  void writersOfTheSameNewRowsDoNotDeadlock() {
    long before = deadlocks();
    Random random = new Random(42);
    for (int round = 0; round < 30; round++) {
      server.execute("DELETE FROM ratelimit_window_counts");
      pushAll(300, round + 1, 4, random);
    }
    assertThat(deadlocks()).isEqualTo(before);
    assertThat(server
            .query("SELECT COUNT(*), MIN(count) FROM ratelimit_window_counts")
            .get(0))
        .containsExactly("300", "30");
  }

  private static void pushAll(int users, long count, int writers, Random random) {
    CompletableFuture.allOf(NODES.stream()
            .limit(writers)
            .map(node -> node.push(shuffled(users, count, random)).toCompletableFuture())
            .toArray(CompletableFuture[]::new))
        .join();
  }

  @Test
  void greatestOfConcurrentCountsIsKept() {
    Random random = new Random(42);
    for (int round = 0; round < 20; round++) {
      List<CompletableFuture<?>> pushes = new ArrayList<>();
      for (int i = 0; i < NODES.size(); i++) {
        pushes.add(
            NODES.get(i).push(shuffled(20, 4L * round + 1 + i, random)).toCompletableFuture());
      }
      CompletableFuture.allOf(pushes.toArray(CompletableFuture[]::new)).join();
      assertThat(server.query("SELECT DISTINCT count FROM ratelimit_window_counts"))
          .containsExactly(List.of(Long.toString(4L * round + 4)));
    }
  }

  /** Quotes and emoji take more bytes in a statement than other characters. */
  @Test
  void statementsOfLongestNamesStayBelowAMegabyte() {
    try (MariaDbServer small = MariaDbServer.start("--max-allowed-packet=1M");
        JdbcGlobalCounters counters = JdbcGlobalCounters.connect(small.jdbcUrl())) {
      List<Component> components = new ArrayList<>();
      for (String letter : List.of("'", "😀")) {
        String name = letter.repeat(500);
        Scope scope = new Scope(name, name, Fleet.SCOPE.windowMillis());
        for (int i = 0; i < 400; i++) {
          Series series = new Series(scope, name + i);
          components.add(new Component("eu", WindowCell.at(series, System.currentTimeMillis()), 1));
        }
      }
      assertThat(counters.push(components).toCompletableFuture().join()).isEmpty();
      assertThat(small.query("SELECT COUNT(*) FROM ratelimit_window_counts").get(0))
          .containsExactly("800");
    }
  }

  @Test
  void cleanupDoesNotDeadlockWithPushes() {
    long before = deadlocks();
    Fleet.insert(server, 60_000, System.currentTimeMillis() - 3_600_000);
    List<CompletableFuture<?>> cleanups = new ArrayList<>();
    List<Long> deleted = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 3; i++) {
      cleanups.add(CompletableFuture.runAsync(() -> deleted.add(clean())));
    }
    CompletableFuture<Void> cleaned =
        CompletableFuture.allOf(cleanups.toArray(CompletableFuture[]::new));
    Random random = new Random(42);
    for (int round = 1; round < 5 || !cleaned.isDone(); round++) {
      pushAll(300, round, 4, random);
    }
    cleaned.join();
    assertThat(deadlocks()).isEqualTo(before);
    assertThat(deleted.stream().mapToLong(Long::longValue).sum()).isEqualTo(60_000);
    assertThat(server.query("SELECT COUNT(*) FROM ratelimit_window_counts").get(0))
        .containsExactly("300");
  }

  @Test
  void announcementsDoNotDeadlock() {
    server.execute("DELETE FROM ratelimit_regions");
    long before = deadlocks();
    for (int round = 1; round <= 50; round++) {
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < NODES.size(); i++) {
        calls.add(NODES.get(i).announce("eu", "region_" + i / 3).toCompletableFuture());
        calls.add(NODES.get(i).announce("us_" + round, "us").toCompletableFuture());
      }
      calls.add(CompletableFuture.runAsync(ConcurrentPushTest::clean));
      CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
      server.execute("UPDATE ratelimit_regions SET updated_at = 0 WHERE region <> 'eu'");
    }
    assertThat(deadlocks()).isEqualTo(before);
    assertThat(NODES.get(0).announce("eu", "none").toCompletableFuture().join())
        .isEqualTo(50L * NODES.size());
  }

  /** A pull during a slow statement must not cause later pulls to miss its rows. */
  @Test
  void rowsOfASlowPushAreRead() {
    JdbcGlobalCounters slow = NODES.get(0);
    slow.push(shuffled(20, 1, new Random())).toCompletableFuture().join();
    server.execute("CREATE TRIGGER tidegate.slow BEFORE UPDATE ON ratelimit_window_counts"
        + " FOR EACH ROW SET @ignored = SLEEP(0.08)");
    slow.push(shuffled(20, 2, new Random())).toCompletableFuture().join(); // takes 1.6 s
    List<Component> read = new ArrayList<>();
    long since = slow.pull("us", GlobalCounters.EVERYTHING, 0, component -> {})
        .toCompletableFuture()
        .join();
    CompletableFuture<?> push = slow.push(shuffled(20, 3, new Random())).toCompletableFuture();
    long before = System.nanoTime();
    Fleet.await("the push to be under way", () -> System.nanoTime() - before > 1_200_000_000L);
    NODES
        .get(1)
        .push(List.of(component(100, 1)))
        .toCompletableFuture()
        .join(); // commits before the slow push
    since = slow.pull("us", since, 0, component -> {}).toCompletableFuture().join();
    push.join();
    slow.pull("us", since, 0, read::add).toCompletableFuture().join();
    assertThat(read).filteredOn(component -> component.count() == 3).hasSize(20);
  }

  /** The time of a statement is that of its start, and the statement may then wait for a lock. */
  @Test
  void timeOfTheLastChangeNeverDecreases() throws SQLException {
    NODES.get(0).push(List.of(component(1, 1))).toCompletableFuture().join();
    CompletableFuture<?> delayed;
    long changed;
    try (Connection quicker = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = quicker.createStatement()) {
      quicker.setAutoCommit(false);
      statement.execute("SELECT * FROM ratelimit_window_counts FOR UPDATE");
      long began = databaseMillis();
      delayed = NODES.get(1).push(List.of(component(1, 3))).toCompletableFuture();
      Fleet.await(
          "the push to wait",
          () -> server
              .query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'")
              .get(0)
              .contains("1"));
      Fleet.await("time to pass", () -> databaseMillis() > began + 100);
      changed = databaseMillis();
      statement.execute("UPDATE ratelimit_window_counts SET count = 2, updated_at = " + changed);
      quicker.commit();
    }
    delayed.join();
    List<String> row =
        server.query("SELECT count, updated_at FROM ratelimit_window_counts").get(0);
    assertThat(row.get(0)).isEqualTo("3");
    assertThat(Long.parseLong(row.get(1))).isGreaterThanOrEqualTo(changed);
  }

  private static long databaseMillis() {
    return Long.parseLong(
        server.query("SELECT FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000)").get(0).get(0));
  }

  /** After a failover to a server whose clock is a minute behind. */
  @Test
  void changesAreReadAfterTheClockOfTheDatabaseIsSetBack() {
    JdbcGlobalCounters node = NODES.get(0);
    node.push(List.of(component(1, 1))).toCompletableFuture().join();
    long since = pull(node, GlobalCounters.EVERYTHING, new ArrayList<>());
    server.execute("DELETE FROM ratelimit_window_counts"); // the new server never had it
    for (int i = 2; i < 5; i++) {
      node.push(List.of(component(i, i))).toCompletableFuture().join();
      server.execute("UPDATE ratelimit_window_counts SET updated_at = updated_at - "
          + (60_000 - 2_000 * i) + " WHERE count = " + i);
    }
    List<Component> read = new ArrayList<>();
    since = pull(node, since, read);
    pull(node, since, read);
    assertThat(read).extracting(Component::count).contains(2L, 3L, 4L);
  }

  /** On a replica that lags, changes that arrive are older than the time of the pull. */
  @Test
  void changesThatArriveLateAreRead() {
    JdbcGlobalCounters node = NODES.get(0);
    List<Component> read = new ArrayList<>();
    long since = GlobalCounters.EVERYTHING;
    for (int i = 1; i < 15; i++) {
      node.push(List.of(component(i, i))).toCompletableFuture().join();
      server.execute("UPDATE ratelimit_window_counts SET updated_at = updated_at - 60000"
          + " WHERE count = " + i);
      since = pull(node, since, read);
      if (i == 5) {
        for (int quiet = 0; quiet < 15; quiet++) {
          since = pull(node, since, read);
        }
      }
    }
    assertThat(read).extracting(Component::count).contains(1L, 5L, 6L, 7L, 14L);
  }

  @Test
  void lastChangesAreNotReadForever() {
    JdbcGlobalCounters node = NODES.get(0);
    long since = pull(node, GlobalCounters.EVERYTHING, new ArrayList<>());
    node.push(shuffled(100, 1, new Random())).toCompletableFuture().join();
    List<Component> read = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      since = pull(node, since, read);
    }
    assertThat(read).hasSizeBetween(100, 1_500);
  }

  private static long pull(JdbcGlobalCounters node, long since, List<Component> into) {
    return node.pull("us", since, 0, into::add).toCompletableFuture().join();
  }

  private static long clean() {
    try (var connections = new OwnConnections(server.jdbcUrl(), null, null, Fleet.LONG)) {
      return Cleanup.run(connections, 10, rows -> {});
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
