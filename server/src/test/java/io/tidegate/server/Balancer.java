package io.tidegate.server;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends requests to nodes in turn, as load balancers do: skips nodes that are not ready, and tries
 * another node only if no connection could be opened.
 */
final class Balancer implements Load.Target, AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(200);

  private final Client client;
  private final List<NodeProcess> nodes = new CopyOnWriteArrayList<>();
  private final Set<NodeProcess> ready = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();
  private final Thread probing = new Thread(this::probe, "balancer");
  private volatile boolean closed;

  Balancer(Client client, List<NodeProcess> nodes) {
    this.client = client;
    this.nodes.addAll(nodes);
    this.ready.addAll(nodes);
    probing.start();
  }

  /** Adds a node, which receives requests as soon as it is ready. */
  void add(NodeProcess node) {
    nodes.add(node);
  }

  void remove(NodeProcess node) {
    nodes.remove(node);
    ready.remove(node);
  }

  boolean sendsTo(NodeProcess node) {
    return ready.contains(node);
  }

  private void probe() {
    while (!closed) {
      for (NodeProcess node : nodes) {
        if (Client.get(node.adminUri("/ready")).status() == 200) {
          ready.add(node);
        } else {
          ready.remove(node);
        }
      }
      NodeProcess.pause(INTERVAL);
    }
  }

  @Override
  public Client.Answer take(String identifier, long limit, long cost) throws IOException {
    IOException failure = new ConnectException("no node is ready");
    for (int attempt = 0; attempt < nodes.size(); attempt++) {
      List<NodeProcess> choice = nodes.stream().filter(ready::contains).toList();
      if (!choice.isEmpty()) {
        NodeProcess node = choice.get(Math.floorMod(turn.getAndIncrement(), choice.size()));
        try {
          return client.take(node, identifier, limit, cost);
        } catch (ConnectException | HttpConnectTimeoutException e) {
          failure = e;
        }
      }
    }
    throw failure;
  }

  @Override
  public void close() {
    closed = true;
    try {
      probing.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
