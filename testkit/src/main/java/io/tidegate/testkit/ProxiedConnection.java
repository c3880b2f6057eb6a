package io.tidegate.testkit;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** One client's connection through a proxy, and the one to the server that is made for it. */
final class ProxiedConnection {

  private static final int CONNECT_BOUND_MILLIS = 10_000;

  private final Socket client;
  private final Socket server = new Socket();
  private final Network network;
  private final Pipe toServer;
  private final Pipe toClient;
  private final Consumer<ProxiedConnection> whenClosed;

  /** The directions that have not finished; the connection ends with the last. */
  private final AtomicInteger unfinished = new AtomicInteger(2);

  /** Whether the server's side was closed without a word to the client. Set once, by who tests. */
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

  /**
   * Connects to the server as soon as the network lets it, and carries bytes until one side is lost
   * or both end.
   */
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
        close(); // the client has given up at last
      }
    });
  }

  private boolean connect(int targetPort) {
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(Ports.loopback(targetPort), CONNECT_BOUND_MILLIS);
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

  /** From here on the client talks to nobody: what it sends is taken and dropped. */
  void halfOpen() {
    halfOpen = true;
    closeQuietly(server);
    toServer.sever();
    toClient.sever();
    if (toServer.hasEnded()) {
      close(); // the client had nothing more to send, so that nobody would notice its end
    }
  }

  /** Ends both sides as a crash would: with RST instead of FIN. */
  void reset() {
    for (Socket socket : new Socket[] {client, server}) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It is closed already.
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
      // It is of no more use in any case.
    }
  }
}
