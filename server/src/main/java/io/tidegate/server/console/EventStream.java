package io.tidegate.server.console;

import io.tidegate.server.log.Log;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events: the state once a second, to a bounded number of clients. The state is built
 * only while there are clients, once for all of them. Any thread may add a client.
 */
final class EventStream {

  /** More open consoles than a team has; each costs some kilobytes per second. */
  static final int MAX_CLIENTS = 20;

  private static final long INTERVAL_MILLIS = Duration.ofSeconds(1).toMillis();

  private final Vertx vertx;
  private final Supplier<JsonObject> state;

  /** Guarded by this. */
  private final Set<HttpServerResponse> clients = new HashSet<>();

  /** The timer while there are clients. Guarded by this. */
  private @Nullable Long timer;

  EventStream(Vertx vertx, Supplier<JsonObject> state) {
    this.vertx = vertx;
    this.state = state;
  }

  /** Adds a client, and sends it the state as soon as it is built; false if there are too many. */
  synchronized boolean add(HttpServerResponse client) {
    if (clients.size() >= MAX_CLIENTS) {
      return false;
    }
    client.setChunked(true);
    client.closeHandler(closed -> remove(client));
    client.exceptionHandler(failure -> remove(client));
    clients.add(client);
    build().onSuccess(event -> send(client, event));
    if (timer == null) {
      timer = vertx.setPeriodic(INTERVAL_MILLIS, tick -> sendAll());
    }
    return true;
  }

  synchronized void remove(HttpServerResponse client) {
    clients.remove(client);
    if (clients.isEmpty() && timer != null) {
      vertx.cancelTimer(timer);
      timer = null;
    }
  }

  private void sendAll() {
    build().onSuccess(event -> {
      for (HttpServerResponse client : open()) {
        send(client, event);
      }
    });
  }

  private synchronized Set<HttpServerResponse> open() {
    return Set.copyOf(clients);
  }

  /** Builds the event on a worker: with many nodes, it takes longer than a decision may wait. */
  private Future<String> build() {
    return vertx
        .executeBlocking(() -> "data: " + state.get().encode() + "\n\n") // JSON has no line breaks
        .onFailure(
            failure -> Log.error("cannot update the console; will try again in a second", failure));
  }

  /** A client that reads too slowly misses updates, and sees the state again later. */
  private static void send(HttpServerResponse client, String event) {
    if (!client.closed() && !client.writeQueueFull()) {
      client.write(event);
    }
  }
}
