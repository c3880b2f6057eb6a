package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Requests without a pause through an Envoy, each of which must be answered 200. */
final class EnvoyLoad implements AutoCloseable {

  private static final int CLIENTS = 4;

  /** Different values, so that requests also read Redis. */
  private static final int VALUES = 1_000;

  private final EnvoyGateway gateway;
  private final String key;
  private final List<Thread> clients = new ArrayList<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile boolean stopped;

  private EnvoyLoad(EnvoyGateway gateway, String key) {
    this.gateway = gateway;
    this.key = key;
    for (int i = 0; i < CLIENTS; i++) {
      Thread client = new Thread(this::run, "envoy-load-" + i);
      clients.add(client);
      client.start();
    }
  }

  /** Starts clients whose requests have a header with this name. */
  static EnvoyLoad on(EnvoyGateway gateway, String key) {
    return new EnvoyLoad(gateway, key);
  }

  private void run() {
    while (!stopped) {
      try {
        long number = requests.incrementAndGet();
        int status = gateway.get("/", key, "value-" + number % VALUES).statusCode();
        if (status != 200) {
          failures.add("status " + status);
        }
      } catch (RuntimeException | Error e) {
        failures.add(e.toString());
      }
    }
  }

  /** Waits for some more requests. */
  void awaitRequests(int count) {
    long target = requests.get() + count;
    Waiting.await(count + " requests", () -> requests.get() >= target);
  }

  /** Stops the load; checks that all requests were allowed, and by a decision of a node. */
  void stop() {
    close();
    assertThat(failures).isEmpty();
    assertThat(gateway.decisions("error")).as("calls that failed").isZero();
    assertThat(gateway.decisions("failure_mode_allowed")).isZero();
    assertThat(gateway.decisions("ok")).isGreaterThanOrEqualTo(requests.get());
  }

  @Override
  public void close() {
    stopped = true;
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
