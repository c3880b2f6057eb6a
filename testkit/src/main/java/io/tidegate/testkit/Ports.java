package io.tidegate.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses loopback ports below the range of outgoing connections.
 *
 * <p>A port of that range could become the local end of a connection while its server is down, and
 * the server could not restart. A client that retries could even connect to itself.
 */
public final class Ports {

  private static final int LOWEST = 10_000;
  private static final int COUNT = 10_000;

  /** Offset of the port on which a cluster node listens for other nodes, by default. */
  private static final int CLUSTER_BUS = 10_000;

  private Ports() {}

  /** A port that is free now together with its cluster bus port; others may take it. */
  public static int free() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = LOWEST + ThreadLocalRandom.current().nextInt(COUNT);
      try {
        listen(port).close();
        listen(port + CLUSTER_BUS).close();
        return port;
      } catch (IOException e) {
        // One of them is taken.
      }
    }
    throw new IllegalStateException("no free port from " + LOWEST + " to " + (LOWEST + COUNT));
  }

  /** Binds the port also while connections of an earlier listener are open. */
  static ServerSocket listen(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(loopback(port), 511); // the default backlog of Redis
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** Not ::1, where Redis does not listen. */
  @SuppressWarnings("AddressSelection") // a literal address is not resolved
  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }
}
