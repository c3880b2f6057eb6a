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
 * A way to a server on loopback that can be made slow, dead or treacherous while connections use
 * it.
 *
 * <p>All methods may be called at any time from any thread, and take effect at once.
 */
public final class TcpProxy implements AutoCloseable {

  /** How often a port may be taken by somebody else between our look and our listening. */
  private static final int PORT_ATTEMPTS = 10;

  private static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

  private final int targetPort;
  private final int port;
  private final Network network = new Network();
  private final LongAdder forwarded = new LongAdder();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  /** Absent while connections are refused. Guarded by this, like {@link #closed}. */
  private @Nullable Listener listener;

  private boolean closed;

  private record Listener(ServerSocket socket, Thread acceptor) {}

  private TcpProxy(int targetPort, ServerSocket socket) {
    this.targetPort = targetPort;
    this.port = socket.getLocalPort();
    this.listener = listen(socket);
  }

  /**
   * Listens on a free loopback port for connections to the target port; nobody needs to listen
   * there yet.
   */
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

  /** Connections that clients have open, those that {@link #halfOpen} has deadened included. */
  public int connections() {
    return connections.size();
  }

  /**
   * Holds bytes up for so long in each direction, those under way included; a round trip takes
   * twice that.
   */
  public void latency(Duration eachWay) {
    if (eachWay.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + eachWay);
    }
    network.latency(eachWay);
  }

  /**
   * Holds all bytes back, as a partition does: connections stay open and new ones are accepted, but
   * nothing flows, not even the end of a connection. Afterwards everything flows on; nothing is
   * lost.
   */
  public void blackHole(boolean on) {
    network.blackHole(on);
  }

  /**
   * Deadens the connections of now for good, as a peer does that vanished without a word: to their
   * clients they seem open, what is sent disappears, and no answer comes. New ones work.
   */
  public void halfOpen() {
    connections.forEach(ProxiedConnection::halfOpen);
  }

  /** Ends the connections of now with RST on both sides. New ones work. */
  public void reset() {
    connections.forEach(ProxiedConnection::reset);
  }

  /**
   * Refuses new connections, or accepts them again on the same port; existing ones do not notice.
   */
  public synchronized void refuse(boolean on) {
    Listener current = listener;
    try {
      if (on && current != null) {
        current.socket().close();
        // Until the thread has noticed, the system keeps the socket and goes on accepting.
        awaitEnd("acceptor", () -> !current.acceptor().isAlive());
        listener = null;
      } else if (!on && current == null && !closed) {
        listener = listen(Ports.listen(port));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot " + (on ? "close " : "listen again on ") + port, e);
    }
  }

  /**
   * Takes back latency, black hole and refusal; what {@link #halfOpen} and {@link #reset} did stays
   * done.
   */
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
    connections.forEach(ProxiedConnection::close); // nobody is left to accept more
    awaitEnd("threads", threads::isEmpty);
  }

  private static void awaitEnd(String what, BooleanSupplier ended) {
    if (!Waiting.until(CLOSE_BOUND, ended)) {
      throw new IllegalStateException(
          "the proxy's " + what + " should have ended within " + CLOSE_BOUND);
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
      // The socket was closed: connections are refused from now on.
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
