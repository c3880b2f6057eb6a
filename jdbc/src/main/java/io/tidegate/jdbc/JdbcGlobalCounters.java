package io.tidegate.jdbc;

import io.tidegate.model.WindowCell;
import io.tidegate.spi.Component;
import io.tidegate.spi.GlobalCounters;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Global counters in MySQL 8.0 or MariaDB 10.6, or later.
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
 * never lowered. Tables are created on first use. Expired rows are deleted every ten minutes.
 *
 * <p>Thread-safe. Pushes, pulls, announcements and inspections each have a thread, and a connection
 * while they run.
 */
public final class JdbcGlobalCounters implements GlobalCounters {

  /** A little less than the limiter waits, so that its next call finds the thread idle. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(9);

  /** A batch may take long on a busy database, and no call waits for it. */
  private static final Duration CLEANUP_ANSWER_TIMEOUT = Duration.ofMinutes(5);

  /** Reads of cells that wait for the one under way. Each takes some milliseconds. */
  private static final int MAX_QUEUED_INSPECTIONS = 50;

  private final Connections connections;
  private final CounterSchema schema;
  private final ComponentWriter writer;
  private final ComponentReader reader;
  private final CellReader cells;
  private final CallExecutor pushes = new CallExecutor("tidegate-push");
  private final CallExecutor pulls = new CallExecutor("tidegate-pull");
  private final CallExecutor announcements = new CallExecutor("tidegate-announce");
  private final CallExecutor inspections =
      new CallExecutor("tidegate-inspect", MAX_QUEUED_INSPECTIONS);
  private final @Nullable CleanupTask cleanup;

  private JdbcGlobalCounters(Builder builder) {
    this.connections = builder.connections();
    this.schema = new CounterSchema(connections, builder.migrate);
    Overlap overlap = new Overlap();
    this.writer = new ComponentWriter(connections, overlap);
    this.reader = new ComponentReader(connections, overlap);
    this.cells = new CellReader(connections);
    this.cleanup = builder.cleanupInterval == null
        ? null
        : new CleanupTask(connections, schema, builder.cleanupInterval);
  }

  /**
   * Creates global counters with default settings:
   * {@code JdbcGlobalCounters.connect("jdbc:mariadb://db.internal/tidegate?user=tidegate")}.
   * Returns even if the database is unavailable, and uses it when it becomes available.
   *
   * @param jdbcUrl address of the database; with the driver of this module
   *     {@code jdbc:mariadb://host:port/database}, for MySQL too
   * @return the counters
   */
  public static JdbcGlobalCounters connect(String jdbcUrl) {
    return builder(jdbcUrl).connect();
  }

  /**
   * Starts global counters with other settings:
   * {@code JdbcGlobalCounters.builder(url).credentials("tidegate", password).connect()}.
   *
   * @param jdbcUrl address of the database
   * @return a builder with default settings
   */
  public static Builder builder(String jdbcUrl) {
    return new Builder(Objects.requireNonNull(jdbcUrl, "jdbcUrl must not be null"), null);
  }

  /**
   * Creates global counters that use connections of the application, with default settings:
   * {@code JdbcGlobalCounters.using(dataSource)}. The data source belongs to the application:
   * closing the counters leaves it open.
   *
   * <p>All its connections must lead to the same MySQL 8.0 or MariaDB 10.6, or later, and must be
   * allowed to write. The SQL mode should be strict, which is the default. At most five connections
   * are in use at once, usually none or one. While in use, a connection commits every statement, is
   * writable, has the isolation {@code READ COMMITTED}, and waits at most 9 seconds for an answer.
   * It is returned with the settings that it had before.
   *
   * @param dataSource a pool of connections
   * @return the counters
   */
  public static JdbcGlobalCounters using(DataSource dataSource) {
    return builder(dataSource).connect();
  }

  /**
   * Starts global counters that use connections of the application, with other settings:
   * {@code JdbcGlobalCounters.builder(dataSource).withoutCleanup().connect()}. See {@link #using}.
   *
   * @param dataSource a pool of connections
   * @return a builder with default settings
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(null, Objects.requireNonNull(dataSource, "dataSource must not be null"));
  }

  /**
   * Deletes all expired rows, in batches: {@code JdbcGlobalCounters.cleanUp(url, null, null, rows
   * -> {})}. Nodes may push and clean up at the same time.
   *
   * @param jdbcUrl address of the database
   * @param user the user, unless the URL has it
   * @param password the password, unless the URL has it
   * @param progress receives the number of rows deleted so far, after each batch
   * @return the number of rows deleted
   * @throws IllegalArgumentException if no driver accepts the URL
   * @throws SQLException if the database fails; rows deleted before stay deleted
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
      schema.ensure();
      return writer.write(components);
    });
  }

  @Override
  public CompletionStage<Long> pull(
      String region, long since, long nowMillis, Consumer<Component> each) {
    return pulls.run(() -> {
      schema.ensure();
      return reader.readOthers(region, since, nowMillis, each);
    });
  }

  @Override
  public CompletionStage<Void> pullOwn(String region, long nowMillis, Consumer<Component> each) {
    return pulls
        .run(() -> {
          schema.ensure();
          reader.readOwn(region, nowMillis, each);
          return true;
        })
        .thenAccept(done -> {});
  }

  @Override
  public CompletionStage<Long> announce(String region, String identity) {
    return announcements.run(() -> {
      RegionAnnouncement announcement = RegionAnnouncement.of(region, identity);
      schema.ensure();
      return connections.use(announcement::record);
    });
  }

  /** {@inheritDoc} Reads up to 200 regions. */
  @Override
  public CompletionStage<List<Component>> components(WindowCell cell) {
    return inspections.run(() -> {
      schema.ensure();
      return cells.read(cell);
    });
  }

  @Override
  public void close() {
    inspections.close();
    pushes.close();
    pulls.close();
    announcements.close();
    if (cleanup != null) {
      cleanup.close();
    }
    connections.close();
  }

  /**
   * Describes where the database is, without credentials: {@code the database at
   * jdbc:mariadb://localhost:3306}.
   */
  @Override
  public String toString() {
    return connections.toString();
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

    /** Null if there is a data source. */
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
          ? new OwnConnections(Objects.requireNonNull(jdbcUrl), user, password, ANSWER_TIMEOUT)
          : new BorrowedConnections(dataSource, ANSWER_TIMEOUT);
    }

    /**
     * Sets user and password, if the URL has none: {@code builder.credentials("tidegate",
     * password)}.
     *
     * @param user the user
     * @param password the password
     * @return this builder
     * @throws IllegalStateException if the counters use a data source
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
     * Sets whether the tables are created and upgraded: {@code builder.migrate(false)}, for users
     * without the privilege to do so. The tables must then exist.
     *
     * @param migrate true by default
     * @return this builder
     */
    public Builder migrate(boolean migrate) {
      this.migrate = migrate;
      return this;
    }

    /**
     * Sets how often expired rows are deleted: {@code builder.cleanupEvery(Duration.ofHours(1))}.
     * Several nodes may do so at the same time.
     *
     * @param interval a second to a day; ten minutes by default
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
     * Disables automatic cleanup: {@code builder.withoutCleanup()}. Run {@code ./tidegate cleanup}
     * or {@link #cleanUp} regularly instead.
     *
     * @return this builder
     */
    public Builder withoutCleanup() {
      this.cleanupInterval = null;
      return this;
    }

    /**
     * Creates the counters: {@code builder.connect()}. Returns even if the database is unavailable,
     * and uses it when it becomes available.
     *
     * @return the counters
     */
    public JdbcGlobalCounters connect() {
      return new JdbcGlobalCounters(this);
    }
  }
}
