package io.tidegate.jdbc;

import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.nio.charset.CharacterCodingException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The global counters in MySQL 8 or MariaDB 10.6 and later.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.builder()
 *     .region("eu")
 *     .origin(RedisOrigin.connect("redis://redis.eu.internal:6379"))
 *     .globalCounters(JdbcGlobalCounters.connect("jdbc:mariadb://db.internal/tidegate?user=tidegate&password=..."))
 *     .build();
 * }</pre>
 *
 * <p>A component is a row of the table {@code ratelimit_window_counts}, whose count is raised and
 * never lowered. Tables are created on first use, and expired rows are deleted now and then.
 */
public final class JdbcGlobalCounters implements GlobalCounters {

  /** A little less than the limiter waits, so that its next call finds the thread free. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(9);

  /** A batch on a busy database may take a while, and no call waits for it. */
  private static final Duration CLEANUP_ANSWER_TIMEOUT = Duration.ofMinutes(5);

  /**
   * A row has the time at which its statement began, and is seen when it ends, some milliseconds
   * later: so much at least is read again that the pull before may have missed, and more while our
   * own pushes take longer, for then those of others do too. What took longer still, a pull of
   * everything brings. An overlap of a second would have every row read once more.
   */
  private static final long LEAST_OVERLAP_MILLIS = 500;

  private static final long MOST_OVERLAP_MILLIS = 10_000;

  /** When nothing has changed for so many pulls, what changed last is not read once more. */
  private static final int MOST_QUIET_PULLS = 10;

  /**
   * About the longest statement: names of strangers may be long, and databases are known that take
   * a megabyte at most ({@code max_allowed_packet}).
   */
  private static final int STATEMENT_BYTES = 500_000;

  /** Rows that the driver fetches at a time: enough for speed, little enough for memory. */
  private static final int FETCHED_ROWS = 1_000;

  private final Connections connections;
  private final Schema schema;
  private final Worker pushes = new Worker("tidegate-push");
  private final Worker pulls = new Worker("tidegate-pull");
  private final Worker announcements = new Worker("tidegate-announce");
  private final @Nullable CleanupTask cleanup;
  private final AtomicLong slowestPushMillis = new AtomicLong();

  /** Of the thread that pulls. */
  private int quietPulls;

  private final RowLog refusals = new RowLog(
      "The database cannot keep {0} counts: a value of theirs does not fit the table, or is no text");
  private final RowLog strangers = new RowLog(
      "{0} rows of ratelimit_window_counts cannot be used: a value of theirs is out of range");

  private JdbcGlobalCounters(Builder builder) {
    this.connections = builder.connections();
    this.schema = new Schema(connections, builder.migrate);
    this.cleanup = builder.cleanupInterval == null
        ? null
        : new CleanupTask(connections, schema, builder.cleanupInterval);
  }

  /**
   * Global counters with all defaults:
   * {@code JdbcGlobalCounters.connect("jdbc:mariadb://db.internal/tidegate?user=tidegate")}.
   * Returns also if the database is not there; it is used when it appears.
   *
   * @param jdbcUrl where the database is; with the driver that comes with this,
   *     {@code jdbc:mariadb://host:port/database}, for MySQL too
   * @return the counters
   */
  public static JdbcGlobalCounters connect(String jdbcUrl) {
    return builder(jdbcUrl).connect();
  }

  /**
   * Global counters with other settings:
   * {@code JdbcGlobalCounters.builder(url).credentials("tidegate", password).connect()}.
   *
   * @param jdbcUrl where the database is
   * @return a builder with all defaults
   */
  public static Builder builder(String jdbcUrl) {
    return new Builder(Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null"), null);
  }

  /**
   * Global counters over the connections of an application, with all defaults:
   * {@code JdbcGlobalCounters.using(dataSource)}. The data source belongs to the application:
   * closing the counters leaves it open.
   *
   * <p>It must lead to one MySQL 8 or MariaDB 10.6 or later, whichever thread asks for a
   * connection, with the rights to write; its SQL mode should be strict, which is the default. Up
   * to four connections are in use at once, mostly none or one. Each is set to commit every
   * statement, to be writable, to {@code READ COMMITTED}, and to wait at most 9 seconds for an
   * answer, and is given back with the settings it had.
   *
   * @param dataSource a pool of connections
   * @return the counters
   */
  public static JdbcGlobalCounters using(DataSource dataSource) {
    return builder(dataSource).connect();
  }

  /**
   * Global counters over the connections of an application, with other settings:
   * {@code JdbcGlobalCounters.builder(dataSource).withoutCleanup().connect()}. See {@link #using}.
   *
   * @param dataSource a pool of connections
   * @return a builder with all defaults
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(null, Objects.requireNonNull(dataSource, "dataSource must not be null"));
  }

  /**
   * Deletes all expired rows, in batches: {@code JdbcGlobalCounters.cleanUp(url, null, null, rows
   * -> {})}. Nodes may push and clean up meanwhile.
   *
   * @param jdbcUrl where the database is
   * @param user the user, unless the URL has it
   * @param password the password, unless the URL has it
   * @param progress receives the number of rows deleted so far, after each batch
   * @return the number of rows deleted
   * @throws IllegalArgumentException if no driver accepts the URL
   * @throws SQLException if the database fails; what was deleted stays so
   */
  public static long cleanUp(
      String jdbcUrl, @Nullable String user, @Nullable String password, LongConsumer progress)
      throws SQLException {
    try (Connections connections =
        new OwnConnections(jdbcUrl, user, password, CLEANUP_ANSWER_TIMEOUT)) {
      return Cleanup.run(connections, Integer.MAX_VALUE, progress);
    }
  }

  @Override
  public CompletionStage<List<Component>> push(List<Component> components) {
    return pushes.run(() -> {
      List<Component> refused = new ArrayList<>();
      List<Row> rows = rows(components, refused);
      schema.ensure();
      writeAll(rows, refused);
      refusals.say(refused.size(), refused.isEmpty() ? "" : refused.get(0));
      return refused;
    });
  }

  private static List<Row> rows(List<Component> components, List<Component> refused) {
    List<Row> rows = new ArrayList<>(components.size());
    for (Component component : components) {
      try {
        rows.add(Row.of(component));
      } catch (CharacterCodingException e) {
        refused.add(component);
      }
    }
    rows.sort(Row.KEY_ORDER);
    return rows;
  }

  private void writeAll(List<Row> rows, List<Component> refused) throws SQLException {
    long beganNanos = System.nanoTime();
    try {
      for (int from = 0, to; from < rows.size(); from = to) {
        to = endOfStatement(rows, from);
        write(rows.subList(from, to), refused);
      }
    } finally { // what has failed for us may have been done all the same, and late
      long millis = Duration.ofNanos(System.nanoTime() - beganNanos).toMillis();
      slowestPushMillis.accumulateAndGet(millis, Math::max);
    }
  }

  /** How far one statement may go that begins with this row. */
  private static int endOfStatement(List<Row> rows, int from) {
    int to = from;
    for (int bytes = 0; to < rows.size() && (to == from || bytes < STATEMENT_BYTES); to++) {
      bytes += rows.get(to).bytes();
    }
    return to;
  }

  /** Writes rows in one statement; if the database refuses one, the others without it. */
  private void write(List<Row> rows, List<Component> refused) throws SQLException {
    try {
      connections.use(connection -> {
        try (PreparedStatement statement = connection.prepareStatement(Sql.push(rows.size()))) {
          for (int i = 0; i < rows.size(); i++) {
            rows.get(i).set(statement, i);
          }
          return statement.executeUpdate();
        }
      });
    } catch (SQLException e) {
      if (!SqlFailures.isAboutValues(e)) {
        throw e;
      }
      if (rows.size() == 1) {
        refused.add(rows.get(0).component());
      } else {
        write(rows.subList(0, rows.size() / 2), refused);
        write(rows.subList(rows.size() / 2, rows.size()), refused);
      }
    }
  }

  @Override
  public CompletionStage<Long> pull(long since, long nowMillis, Consumer<Component> each) {
    return pulls.run(() -> {
      schema.ensure();
      return connections.use(connection -> {
        long next = mark(connection, since);
        try (PreparedStatement statement = connection.prepareStatement(Sql.PULL)) {
          statement.setFetchSize(FETCHED_ROWS);
          statement.setLong(1, beginMillis(since, next));
          statement.setLong(2, nowMillis);
          try (ResultSet row = statement.executeQuery()) {
            read(row, each);
          }
        }
        return next;
      });
    });
  }

  /**
   * Where the next pull begins: at the newest change, as of before this pull reads. Not at the
   * database's time, since what is asked may be a replica, in which the newest change is older.
   */
  private static long mark(Connection connection, long since) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(Sql.MARK)) {
      row.next();
      long newest = row.getLong("newest");
      // If the database's clock has gone back, as in a failover, nobody knows what was missed.
      return newest < since ? EVERYTHING : newest;
    }
  }

  /** From when on changes are read. */
  private long beginMillis(long since, long next) {
    if (since == EVERYTHING) {
      return 0;
    }
    quietPulls = next == since ? quietPulls + 1 : 0;
    // Falls slowly when pushes are quick again: those of others may not be.
    long slowest = slowestPushMillis.getAndUpdate(millis -> millis * 7 / 8);
    return quietPulls > MOST_QUIET_PULLS
        ? since + 1
        : since - Math.min(MOST_OVERLAP_MILLIS, LEAST_OVERLAP_MILLIS + 2 * slowest);
  }

  private void read(ResultSet row, Consumer<Component> each) throws SQLException {
    int unusable = 0;
    String example = "";
    while (row.next()) {
      Component component;
      try {
        component = Row.read(row);
      } catch (IllegalArgumentException | SQLDataException e) {
        unusable++;
        example = row.getString("identifier") + " (" + e.getMessage() + ")";
        continue;
      }
      each.accept(component);
    }
    strangers.say(unusable, example);
  }

  @Override
  public CompletionStage<Long> announce(String region, String identity) {
    return announcements.run(() -> {
      Announcement announcement = Announcement.of(region, identity);
      schema.ensure();
      return connections.use(announcement::record);
    });
  }

  @Override
  public void close() {
    pushes.close();
    pulls.close();
    announcements.close();
    if (cleanup != null) {
      cleanup.close();
    }
    connections.close();
  }

  /**
   * Builds {@link JdbcGlobalCounters}. Every setting has a default.
   *
   * <pre>{@code
   * JdbcGlobalCounters.builder("jdbc:mariadb://db.internal/tidegate")
   *     .credentials("tidegate", password)
   *     .migrate(false)
   *     .withoutCleanup()
   *     .connect();
   * }</pre>
   */
  public static final class Builder {

    /** Either this or the data source is null. */
    private final @Nullable String jdbcUrl;

    private final @Nullable DataSource dataSource;
    private @Nullable String user;
    private @Nullable String password;
    private boolean migrate = true;
    private @Nullable Duration cleanupInterval = Duration.ofMinutes(10);

    private Builder(@Nullable String jdbcUrl, @Nullable DataSource dataSource) {
      this.jdbcUrl = jdbcUrl;
      this.dataSource = dataSource;
    }

    private Connections connections() {
      return dataSource == null
          ? new OwnConnections(jdbcUrl, user, password, ANSWER_TIMEOUT)
          : new BorrowedConnections(dataSource, ANSWER_TIMEOUT);
    }

    /**
     * Who connects, if the URL does not say: {@code builder.credentials("tidegate", password)}.
     *
     * @param user the user
     * @param password the password
     * @return this builder
     * @throws IllegalStateException if the connections are those of a data source
     */
    public Builder credentials(String user, String password) {
      if (dataSource != null) {
        throw new IllegalStateException("a data source has credentials of its own");
      }
      this.user = Objects.requireNonNull(user, "user must not be null");
      this.password = Objects.requireNonNull(password, "password must not be null");
      return this;
    }

    /**
     * Whether to make the table, and to bring it up to date: {@code builder.migrate(false)}, for
     * users without the right to. Then it has to be there.
     *
     * @param migrate by default true
     * @return this builder
     */
    public Builder migrate(boolean migrate) {
      this.migrate = migrate;
      return this;
    }

    /**
     * How often to delete what has expired: {@code builder.cleanupEvery(Duration.ofHours(1))}.
     * Several nodes may do so at once.
     *
     * @param interval a second to a day; by default ten minutes
     * @return this builder
     */
    public Builder cleanupEvery(Duration interval) {
      Objects.requireNonNull(interval, "interval must not be null");
      if (interval.compareTo(Duration.ofSeconds(1)) < 0
          || interval.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException("interval must be between PT1S and PT24H: " + interval);
      }
      this.cleanupInterval = interval;
      return this;
    }

    /**
     * Deletes nothing, because {@code ./tidegate cleanup} does: {@code builder.withoutCleanup()}.
     *
     * @return this builder
     */
    public Builder withoutCleanup() {
      this.cleanupInterval = null;
      return this;
    }

    /**
     * The counters with these settings: {@code builder.connect()}. Returns also if the database is
     * not there; it is used when it appears.
     *
     * @return the counters
     */
    public JdbcGlobalCounters connect() {
      return new JdbcGlobalCounters(this);
    }
  }
}
