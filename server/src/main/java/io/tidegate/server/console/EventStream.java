package io.tidegate.server.console;

import io.tidegate.server.log.Log;
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

  /** Adds a client and sends it the state at once; false if there are too many. */
  synchronized boolean add(HttpServerResponse client) {
    if (clients.size() >= MAX_CLIENTS) {
      return false;
    }
    client.setChunked(true);
    client.closeHandler(closed -> remove(client));
    client.exceptionHandler(failure -> remove(client));
    clients.add(client);
    send(client, event());
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
    try {
      String event = event();
      for (HttpServerResponse client : open()) {
        send(client, event);
      }
    } catch (RuntimeException e) {
      Log.error("cannot update the console; will try again in a second", e);
    }
  }

  private synchronized Set<HttpServerResponse> open() {
    return Set.copyOf(clients);
  }

  private String event() {
    return "data: " + state.get().encode() + "\n\n"; // JSON has no line breaks
  }

  /** A client that reads too slowly misses updates, and sees the state again later. */
  private static void send(HttpServerResponse client, String event) {
    if (!client.closed() && !client.writeQueueFull()) {
      client.write(event);
    }
  }
}
