package io.tidegate.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A proxy to a server on loopback that injects faults of the network: latency, partitions, lost and
 * refused connections. Any thread may call; faults take effect within milliseconds.
 */
public final class TcpProxy implements AutoCloseable {

  /** Another process may take a port between the check and the bind. */
  private static final int PORT_ATTEMPTS = 10;

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  private final int targetPort;
  private final int port;
  private final Network network = new Network();
  private final LongAdder forwarded = new LongAdder();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Null while connections are refused. Guarded by this, like {@link #closed}. */
  private @Nullable Listener listener;

  private boolean closed;

  private record Listener(ServerSocket socket, Thread acceptor) {}

  private TcpProxy(int targetPort, ServerSocket socket) {
    this.targetPort = targetPort;
    this.port = socket.getLocalPort();
    this.listener = listen(socket);
  }

  /** Listens on a free loopback port. The server on the target port may start later. */
  public static TcpProxy start(int targetPort) {
    if (targetPort < 1 || targetPort > 65_535) {
      throw new IllegalArgumentException("targetPort must be from 1 to 65535: " + targetPort);
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return new TcpProxy(targetPort, Ports.listen(Ports.free()));
      } catch (IOException e) {
        if (attempt == PORT_ATTEMPTS) {
          throw new UncheckedIOException("cannot listen", e);
        }
      }
    }
  }

  public int port() {
    return port;
  }

  /** Bytes delivered to either side since the start. */
  public long bytesForwarded() {
    return forwarded.sum();
  }

  /** Open connections of clients, including half-open ones. */
  public int connections() {
    return connections.size();
  }

  /** Delays bytes in each direction, including those in flight; a round trip takes twice that. */
  public void latency(Duration eachWay) {
    if (eachWay.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + eachWay);
    }
    network.latency(eachWay);
  }

  /**
   * Holds back all bytes, as a partition does: connections stay open and new ones are accepted, but
   * nothing is forwarded, not even the end of a connection. Afterwards all bytes are delivered.
   */
  public void blackHole(boolean on) {
    network.blackHole(on);
  }

  /**
   * Makes the current connections half-open, as after a server lost power: clients see them as
   * open, bytes they send are dropped, and no answer comes. New connections work.
   */
  public void halfOpen() {
    connections.forEach(ProxiedConnection::halfOpen);
  }

  /** Closes the current connections with RST on both sides. New connections work. */
  public void reset() {
    connections.forEach(ProxiedConnection::reset);
  }

  /** Refuses new connections, or accepts them again on the same port. */
  public synchronized void refuse(boolean on) {
    Listener current = listener;
    try {
      if (on && current != null) {
        current.socket().close();
        // Until the thread has ended, the system accepts connections on the closed socket.
        awaitEnd("acceptor", () -> !current.acceptor().isAlive());
        listener = null;
      } else if (!on && current == null && !closed) {
        listener = listen(Ports.listen(port));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot " + (on ? "close " : "listen again on ") + port, e);
    }
  }

  /** Ends latency, black hole and refusal. Half-open and reset connections stay as they are. */
  public void heal() {
    network.latency(Duration.ZERO);
    network.blackHole(false);
    refuse(false);
  }

  /** Closes all connections and returns when all threads have ended. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      refuse(true);
    }
    connections.forEach(ProxiedConnection::close); // no more are accepted
    awaitEnd("threads", threads::isEmpty);
  }

  private static void awaitEnd(String what, BooleanSupplier ended) {
    if (!Waiting.until(CLOSE_TIMEOUT, ended)) {
      throw new IllegalStateException(
          "the " + what + " of the proxy did not end within " + CLOSE_TIMEOUT);
    }
  }

  private Listener listen(ServerSocket socket) {
    return new Listener(socket, spawn(() -> accept(socket)));
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        ProxiedConnection connection =
            new ProxiedConnection(socket.accept(), network, forwarded, connections::remove);
        connections.add(connection);
        connection.start(targetPort, this::spawn);
      }
    } catch (IOException e) {
      // The socket was closed by refuse or close.
    }
  }

  private Thread spawn(Runnable task) {
    Thread thread = new Thread(
        () -> {
          try {
            task.run();
          } finally {
            threads.remove(Thread.currentThread());
          }
        },
        "tidegate-proxy-" + port);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return thread;
  }
}
