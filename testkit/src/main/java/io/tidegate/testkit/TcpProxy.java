package io.tidegate.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy to a server on loopback that injects faults of the network: latency, partitions, lost and
 * refused connections. Any thread may call; faults take effect within milliseconds.
 */
public final class TcpProxy implements AutoCloseable {

  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  /** Bytes in flight in one direction: at a latency of 100 ms, a throughput of 2.5 MB/s. */
  private static final int BUFFER_BYTES = 256 << 10;

  /** Bound for a fault to take effect, and for a wait to end after it. */
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final int targetPort;
  private final int port;
  private final LongAdder forwarded = new LongAdder();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  private volatile long latencyNanos;
  private volatile boolean blackHole;

  /** Closed while connections are refused. Guarded by this, like the next two. */
  private ServerSocket listener;

  private Thread acceptor;
  private boolean closed;

  private TcpProxy(int targetPort, ServerSocket listener) {
    this.targetPort = targetPort;
    this.port = listener.getLocalPort();
    this.listener = listener;
    this.acceptor = spawn(() -> accept(listener));
  }

  /** Listens on a free loopback port. The server on the target port may start later. */
  public static TcpProxy start(int targetPort) {
    try {
      return new TcpProxy(targetPort, Ports.listen(Ports.free()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen", e);
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
  int connections() {
    return connections.size();
  }

  /**
   * Delays bytes in each direction, including those in flight; a round trip takes twice that. Bytes
   * that arrive while others are delayed wait for them first.
   */
  public void latency(Duration eachWay) {
    latencyNanos = eachWay.toNanos();
  }

  /**
   * Holds back all bytes, as a partition does: connections stay open and new ones are accepted, but
   * nothing is forwarded, not even the end of a connection. Afterwards all bytes are delivered.
   */
  public void blackHole(boolean on) {
    blackHole = on;
  }

  /**
   * Makes the current connections half-open, as after a server lost power: clients see them as
   * open, bytes they send are dropped, and no answer comes. New connections work.
   */
  public void halfOpen() {
    connections.forEach(Connection::halfOpen);
  }

  /** Closes the current connections with RST on both sides. New connections work. */
  public void reset() {
    connections.forEach(Connection::reset);
  }

  /** Refuses new connections, or accepts them again on the same port. */
  public synchronized void refuse(boolean on) {
    try {
      if (on) {
        listener.close();
        // Until the thread has ended, the system accepts connections on the closed socket.
        Waiting.await("the end of the acceptor", () -> !acceptor.isAlive());
      } else if (listener.isClosed() && !closed) {
        ServerSocket again = Ports.listen(port);
        listener = again;
        acceptor = spawn(() -> accept(again));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot " + (on ? "close " : "listen again on ") + port, e);
    }
  }

  /** Ends latency, black hole and refusal. Half-open and reset connections stay as they are. */
  public void heal() {
    latencyNanos = 0;
    blackHole = false;
    refuse(false);
  }

  /** Closes all connections, which ends their threads. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      refuse(true);
    }
    connections.forEach(Connection::close); // no more are accepted
  }

  private void accept(ServerSocket socket) {
    try {
      while (true) {
        Connection connection = new Connection(socket.accept());
        connections.add(connection);
        spawn(connection::run);
      }
    } catch (IOException e) {
      // The socket was closed by refuse or close.
    }
  }

  private Thread spawn(Runnable task) {
    Thread thread = new Thread(task, "tidegate-proxy-" + port);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A connection of a client, and the connection to the server. Each direction has a thread. */
  private final class Connection {

    private final Socket client;
    private final Socket server = new Socket();
    private final AtomicInteger endedDirections = new AtomicInteger();

    /** Whether the server's side was closed while the client's stays open. Never reset. */
    private volatile boolean halfOpen;

    Connection(Socket client) {
      this.client = client;
    }

    /** Connects to the server when the network allows it, and forwards until both sides end. */
    void run() {
      awaitDelivery();
      try {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        server.connect(Ports.loopback(targetPort), CONNECT_TIMEOUT_MILLIS);
      } catch (IOException e) {
        resetUnlessHalfOpen();
        return;
      }
      spawn(() -> forward(server, client));
      forward(client, server);
    }

    private void forward(Socket from, Socket to) {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        for (int count; (count = read(from, buffer)) >= 0; ) {
          forwarded.add(count); // before a receiver can see them
          to.getOutputStream().write(buffer, 0, count);
        }
        to.shutdownOutput();
        if (endedDirections.incrementAndGet() == 2) {
          close();
        }
      } catch (IOException e) {
        resetUnlessHalfOpen();
      }
    }

    /** Returns bytes when they are due. The end or loss of the connection is delayed like bytes. */
    private int read(Socket from, byte[] buffer) throws IOException {
      int count;
      try {
        count = from.getInputStream().read(buffer);
      } finally {
        awaitDelivery();
      }
      if (halfOpen) {
        throw new EOFException("half-open");
      }
      return count;
    }

    /**
     * Waits until bytes that have just arrived may be delivered, or the connection is closed. The
     * current latency applies, so that a healed network is fast at once.
     */
    private void awaitDelivery() {
      long arrivedNanos = System.nanoTime();
      while ((blackHole || System.nanoTime() - arrivedNanos < latencyNanos)
          && !halfOpen
          && !client.isClosed()) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }

    /** Closes the server's side only. Bytes of the client are read and dropped. */
    void halfOpen() {
      halfOpen = true;
      closeQuietly(server);
      spawn(this::drain);
    }

    private void drain() {
      try {
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The client has reset the connection instead of closing it.
      }
      close();
    }

    private void resetUnlessHalfOpen() {
      if (!halfOpen) {
        reset();
      }
    }

    /** Closes both sides with RST instead of FIN, as after a crash. */
    void reset() {
      for (Socket socket : new Socket[] {client, server}) {
        try {
          socket.setSoLinger(true, 0);
        } catch (IOException e) {
          // Closed already.
        }
      }
      close();
    }

    void close() {
      closeQuietly(client);
      closeQuietly(server);
      connections.remove(this);
    }

    private static void closeQuietly(Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        // Not used any more.
      }
    }
  }
}
