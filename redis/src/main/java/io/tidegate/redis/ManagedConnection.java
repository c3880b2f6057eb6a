package io.tidegate.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to Redis that is established again whenever it is lost or no longer answers.
 *
 * <p>A periodic check covers three cases in the same way: Redis is unavailable at the start, the
 * connection is closed, and the connection is dead although it looks open. A new connection
 * replaces the old one only once it is established. Thread-safe; the check runs on a thread of the
 * client, one at a time.
 */
final class ManagedConnection implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  /** Short compared with the 300 ms that a request waits for Redis. */
  private static final long CHECK_MILLIS = 50;

  /** Time between two attempts: a refused one is cheap, and seconds would prolong an outage. */
  static final Duration RETRY_INTERVAL = Duration.ofMillis(200);

  /** Bounds one attempt. Generous, because a JVM that has just started is slow. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** Bounds the wait for the first attempt, so that an application usually starts connected. */
  private static final Duration FIRST_ATTEMPT_TIMEOUT = Duration.ofSeconds(4);

  /** Keeps a replaced connection open as long as the limiter waits for its answers. */
  private static final Duration RETIREMENT = Duration.ofSeconds(1);

  /** One moved slot causes many MOVED answers, and one refresh covers them all. */
  private static final long TOPOLOGY_REFRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final AbstractRedisClient client;
  private final String name;
  private final OutageLog outages;
  private final AnswerWatch answers = new AnswerWatch();
  private final Supplier<? extends CompletionStage<? extends StatefulConnection<String, String>>>
      connector;
  private final Runnable topologyRefresh;
  private final AtomicLong refreshedNanos =
      new AtomicLong(System.nanoTime() - TOPOLOGY_REFRESH_NANOS);
  private final ScheduledFuture<?> check;
  private final CompletableFuture<@Nullable Void> firstAttempt = new CompletableFuture<>();

  /** The latest connection, open or not. Written when an attempt succeeds, read by all threads. */
  private volatile @Nullable StatefulConnection<String, String> connection;

  private volatile @Nullable Throwable lastFailure;
  private volatile boolean connecting;
  private volatile boolean closed;

  /** Used by the check only. */
  private long nextAttemptNanos = System.nanoTime();

  /**
   * Starts to connect, and keeps the connection until it is closed.
   *
   * @param client owned by this connection, and shut down with it
   * @param name of the server, for log lines and error messages
   * @param connector starts an attempt to connect
   * @param topologyRefresh reads again which master of a cluster has which slots
   */
  ManagedConnection(
      AbstractRedisClient client,
      String name,
      Supplier<? extends CompletionStage<? extends StatefulConnection<String, String>>> connector,
      Runnable topologyRefresh) {
    this.client = client;
    this.name = name;
    this.outages = new OutageLog(name);
    this.connector = connector;
    this.topologyRefresh = topologyRefresh;
    this.check = client
        .getResources()
        .eventExecutorGroup()
        .scheduleWithFixedDelay(this::check, 0, CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Waits for the first attempt to connect, and logs an outage if it fails. */
  void awaitFirstAttempt() {
    try {
      firstAttempt.get(FIRST_ATTEMPT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String reason = "no connection within " + FIRST_ATTEMPT_TIMEOUT.toSeconds() + " s";
      outages.unavailable(reason, () -> !isConnected());
    } catch (ExecutionException e) {
      outages.unavailable(String.valueOf(rootCause(e).getMessage()), () -> !isConnected());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the latest connection, open or not; null if none was established yet. */
  @Nullable
  StatefulConnection<String, String> latest() {
    return connection;
  }

  /**
   * Whether commands can be sent. Lettuce reports a cluster connection as closed when it has lost
   * one of the masters. Commands to the other masters still work, so it is used until it is
   * replaced.
   */
  boolean isConnected() {
    StatefulConnection<String, String> current = connection;
    return current instanceof StatefulRedisClusterConnection
        || (current != null && current.isOpen());
  }

  /**
   * Returns the connection to send commands with.
   *
   * @throws RedisConnectionException if there is none
   */
  StatefulConnection<String, String> current() {
    StatefulConnection<String, String> current = connection;
    if (current == null || !isConnected()) {
      Throwable cause = lastFailure;
      throw new RedisConnectionException("not connected to " + name
          + (cause == null ? "" : ": " + rootCause(cause).getMessage()));
    }
    return current;
  }

  /** Records that commands are about to be sent. */
  void sent(int commands) {
    answers.sent(commands);
  }

  /** Records the outcome of one command; no failure means that it was answered. */
  void settled(@Nullable Throwable failure) {
    if (failure == null) {
      answers.answered();
    } else if (failure instanceof RedisCommandExecutionException error) {
      answers.answered();
      if (String.valueOf(error.getMessage()).startsWith("MOVED")) {
        refreshTopology();
      }
    } else {
      answers.failed();
    }
  }

  private void refreshTopology() {
    long refreshed = refreshedNanos.get();
    long now = System.nanoTime();
    if (now - refreshed >= TOPOLOGY_REFRESH_NANOS && refreshedNanos.compareAndSet(refreshed, now)) {
      topologyRefresh.run();
    }
  }

  private void check() {
    if (closed) {
      return;
    }
    if (isConnected() && !answers.isTimedOut()) {
      outages.connected(); // a connection without answers may recover by itself
    } else {
      reportLoss();
    }
    StatefulConnection<String, String> current = connection;
    boolean needed = current == null || !current.isOpen() || answers.isTimedOut();
    long now = System.nanoTime();
    if (needed && !connecting && now - nextAttemptNanos >= 0) {
      nextAttemptNanos = now + RETRY_INTERVAL.toNanos();
      connecting = true;
      attempt().whenComplete(this::attempted);
    }
  }

  private void reportLoss() {
    if (connection != null) {
      String reason = isConnected()
          ? "no answer for " + AnswerWatch.TIMEOUT.toSeconds() + " s"
          : "connection lost";
      outages.unavailable(reason, () -> !isConnected() || answers.isTimedOut());
    }
  }

  private CompletionStage<? extends StatefulConnection<String, String>> attempt() {
    try {
      return connector.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void attempted(
      @Nullable StatefulConnection<String, String> established, @Nullable Throwable failure) {
    try {
      if (established != null) {
        replace(established);
      } else if (failure != null) {
        lastFailure = failure;
        firstAttempt.completeExceptionally(failure);
      }
    } finally {
      connecting = false;
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed is unused
  private void replace(StatefulConnection<String, String> established) {
    StatefulConnection<String, String> former = connection;
    connection = established;
    lastFailure = null;
    answers.reset();
    if (former != null && !closed) { // other masters of a cluster may still answer on it
      client
          .getResources()
          .eventExecutorGroup()
          .schedule(former::closeAsync, RETIREMENT.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (closed) {
      established.closeAsync();
    } else {
      outages.connected();
    }
    firstAttempt.complete(null);
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean wrapper = failure instanceof CompletionException
        || failure instanceof ExecutionException
        || failure instanceof RedisConnectionException;
    return wrapper && cause != null ? rootCause(cause) : failure;
  }

  /** Closes the connection. Waits briefly, since one of the client's own threads may call it. */
  @Override
  public void close() {
    closed = true;
    check.cancel(false);
    try {
      client
          .shutdownAsync(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "The connection to {0} is still closing", name);
    } catch (ExecutionException e) {
      LOG.log(Level.WARNING, "Cannot close the connection to " + name, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
