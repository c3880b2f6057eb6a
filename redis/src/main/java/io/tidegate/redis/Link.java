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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to Redis: made again whenever there is none, or when it does not answer any more.
 *
 * <p>One way for all: Redis that is not there at the start, that goes away, and a connection that
 * is dead without anybody having said so. A new one takes the place of the old only when it works.
 */
final class Link implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger("io.tidegate.redis");

  private static final long CHECK_MILLIS = 50;

  /** Between two attempts: a refused one costs nothing, and after an outage seconds would show. */
  static final Duration RETRY = Duration.ofMillis(200);

  /** No answer at all for so long, though asked: longer than any call is waited for. */
  private static final Duration SILENCE = Duration.ofSeconds(3);

  /** Between two looks at who has which slots, when answers show that they have moved. */
  private static final long LOOK_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long a connection may take to be made; a process that has just started is slow. */
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  /** How long the first attempt is waited for, so that an application starts connected. */
  private static final Duration FIRST_WAIT = Duration.ofSeconds(4);

  /**
   * How long a connection that was replaced may still answer: as long as a message waits for it.
   */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final AbstractRedisClient client;
  private final String name;
  private final OutageLog outages;
  private final Supplier<? extends CompletionStage<? extends StatefulConnection<String, String>>>
      connector;
  private final Runnable lookAgain;
  private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime() - LOOK_AGAIN_NANOS);
  private final ScheduledFuture<?> check;
  private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
  private final AtomicInteger unanswered = new AtomicInteger();

  private volatile @Nullable StatefulConnection<String, String> connection;
  private volatile @Nullable Throwable lastFailure;
  private volatile long heardNanos;
  private volatile boolean connecting;
  private volatile boolean closed;
  private long nextAttemptNanos = System.nanoTime();

  /**
   * A link that is made and held from now on.
   *
   * @param name what the log calls it
   * @param connector makes a connection
   * @param lookAgain finds out anew who has which slots, where there are some
   */
  Link(
      AbstractRedisClient client,
      String name,
      Supplier<? extends CompletionStage<? extends StatefulConnection<String, String>>> connector,
      Runnable lookAgain) {
    this.client = client;
    this.name = name;
    this.outages = new OutageLog(name);
    this.connector = connector;
    this.lookAgain = lookAgain;
    this.check = client
        .getResources()
        .eventExecutorGroup()
        .scheduleWithFixedDelay(this::check, 0, CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Waits for the first attempt to connect, and logs that Redis is unavailable if it fails. */
  void awaitFirstAttempt() {
    try {
      firstAttempt.get(FIRST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      String reason = "no connection within " + FIRST_WAIT.toSeconds() + " s";
      outages.unavailable(reason, () -> !isConnected());
    } catch (ExecutionException e) {
      outages.unavailable(String.valueOf(rootOf(e).getMessage()), () -> !isConnected());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The latest connection, open or not; null if there was none yet. */
  @Nullable
  StatefulConnection<String, String> latest() {
    return connection;
  }

  /**
   * Whether commands can be sent. A connection to a cluster counts as closed when its connection to
   * one of the masters is; those to the others go on, so it is used until another is made.
   */
  boolean isConnected() {
    StatefulConnection<String, String> current = connection;
    return current instanceof StatefulRedisClusterConnection || current != null && current.isOpen();
  }

  /** The connection of now; throws if there is none. */
  StatefulConnection<String, String> connection() {
    StatefulConnection<String, String> current = connection;
    if (current == null || !isConnected()) {
      Throwable cause = lastFailure;
      throw new RedisConnectionException("not connected to " + name
          + (cause == null ? "" : ": " + rootOf(cause).getMessage()));
    }
    return current;
  }

  /** So many commands are about to be sent. */
  void asked(int commands) {
    if (unanswered.get() == 0) {
      heardNanos = System.nanoTime(); // silence begins with a question
    }
    unanswered.addAndGet(commands);
  }

  /** A command has been answered, perhaps with an error, or has come to nothing. */
  void settled(@Nullable Throwable failure) {
    unanswered.decrementAndGet();
    boolean refused = failure instanceof RedisCommandExecutionException;
    if (failure == null || refused) {
      heardNanos = System.nanoTime();
    }
    if (refused && String.valueOf(failure.getMessage()).startsWith("MOVED")) {
      lookAgain();
    }
  }

  private void lookAgain() {
    long looked = lookedNanos.get();
    long now = System.nanoTime();
    if (now - looked >= LOOK_AGAIN_NANOS && lookedNanos.compareAndSet(looked, now)) {
      lookAgain.run();
    }
  }

  private boolean isSilent(long nowNanos) {
    return unanswered.get() > 0 && nowNanos - heardNanos > SILENCE.toNanos();
  }

  /** One thread at a time. */
  private void check() {
    long now = System.nanoTime();
    StatefulConnection<String, String> current = connection;
    boolean silent = isSilent(now);
    if (closed) {
      return;
    } else if (isConnected() && !silent) {
      outages.connected(); // one that was silent for long may answer again
    } else {
      reportLoss();
    }
    boolean wanted = current == null || !current.isOpen() || silent;
    if (wanted && !connecting && now - nextAttemptNanos >= 0) {
      nextAttemptNanos = now + RETRY.toNanos();
      connecting = true;
      attempt().whenComplete(this::attempted);
    }
  }

  private void reportLoss() {
    if (connection != null) {
      String reason =
          isConnected() ? "no answer for " + SILENCE.toSeconds() + " s" : "connection lost";
      outages.unavailable(reason, () -> !isConnected() || isSilent(System.nanoTime()));
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
      @Nullable StatefulConnection<String, String> made, @Nullable Throwable failure) {
    try {
      if (made != null) {
        replaceBy(made);
      } else if (failure != null) {
        lastFailure = failure;
        firstAttempt.completeExceptionally(failure);
      }
    } finally {
      connecting = false;
    }
  }

  private void replaceBy(StatefulConnection<String, String> made) {
    StatefulConnection<String, String> former = connection;
    connection = made;
    lastFailure = null;
    heardNanos = System.nanoTime();
    if (former != null && !closed) { // it may still answer, as other masters of a cluster do
      client
          .getResources()
          .eventExecutorGroup()
          .schedule(former::closeAsync, LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
    }
    if (closed) {
      made.closeAsync();
    } else {
      outages.connected();
    }
    firstAttempt.complete(null);
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null
        && (root instanceof CompletionException
            || root instanceof ExecutionException
            || root instanceof RedisConnectionException)) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public void close() {
    closed = true;
    check.cancel(false);
    try { // may be called by one of the threads that are to end, so it cannot wait for long
      client
          .shutdownAsync(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "The connection to {0} is still being closed", name);
    } catch (ExecutionException e) {
      LOG.log(Level.WARNING, "Closing the connection to " + name + " failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
