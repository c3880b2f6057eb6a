package io.tidegate.server;

import io.tidegate.server.log.RootCause;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures while the node starts, reloads and stops. Never on an event loop. */
final class Await {

  /** Longer than opening or closing a port takes, even on a busy machine. */
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private Await() {}

  /**
   * Returns the result of a future within {@link #TIMEOUT}.
   *
   * @throws ServerException if it fails or takes longer, with the reason
   */
  static <T> T result(Future<T> future) {
    return result(future, TIMEOUT);
  }

  /**
   * Returns the result of a future within a timeout.
   *
   * @throws ServerException if it fails or takes longer, with the reason
   */
  static <T> T result(Future<T> future, Duration timeout) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new ServerException(RootCause.message(e), e);
    } catch (TimeoutException e) {
      throw new ServerException("timeout after " + timeout.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }
}
