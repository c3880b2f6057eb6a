package io.tidegate.testkit;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** A connection of a client to a proxy, and the connection of the proxy to the server. */
final class ProxiedConnection {

  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;

  private final Socket client;
  private final Socket server = new Socket();
  private final Network network;
  private final Pipe toServer;
  private final Pipe toClient;
  private final Consumer<ProxiedConnection> whenClosed;

  /** Directions that have not ended; the connection is closed with the last. */
  private final AtomicInteger unfinished = new AtomicInteger(2);

  /** Whether the server's side was closed while the client's stays open. Never reset. */
  private volatile boolean halfOpen;

  private final AtomicBoolean closed = new AtomicBoolean();

  ProxiedConnection(
      Socket client, Network network, LongAdder forwarded, Consumer<ProxiedConnection> whenClosed) {
    this.client = client;
    this.network = network;
    this.toServer = new Pipe(client, server, network, forwarded);
    this.toClient = new Pipe(server, client, network, forwarded);
    this.whenClosed = whenClosed;
  }

  /** Connects to the server when the network allows it, and forwards until both sides end. */
  void start(int targetPort, Executor threads) {
    threads.execute(() -> {
      network.awaitEntry(() -> halfOpen || closed.get());
      if (!connect(targetPort) && !halfOpen) {
        reset();
        return;
      }
      threads.execute(toClient::read);
      threads.execute(() -> deliver(toClient));
      threads.execute(() -> deliver(toServer));
      toServer.read();
      if (halfOpen) {
        close(); // the client has closed its side
      }
    });
  }

  private boolean connect(int targetPort) {
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(Ports.loopback(targetPort), CONNECT_TIMEOUT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void deliver(Pipe pipe) {
    boolean finished = pipe.write();
    if (halfOpen) {
      return;
    }
    if (!finished) {
      reset();
    } else if (unfinished.decrementAndGet() == 0) {
      close();
    }
  }

  /** Closes the server's side only. Bytes of the client are read and dropped. */
  void halfOpen() {
    halfOpen = true;
    closeQuietly(server);
    toServer.sever();
    toClient.sever();
    if (toServer.hasEnded()) {
      close(); // the client has closed its side before
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
    if (closed.compareAndSet(false, true)) {
      closeQuietly(client);
      closeQuietly(server);
      toServer.sever();
      toClient.sever();
      whenClosed.accept(this);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // Not used any more.
    }
  }
}
