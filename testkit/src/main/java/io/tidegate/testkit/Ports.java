package io.tidegate.testkit;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses loopback ports below those that the system gives to outgoing connections.
 *
 * <p>A port from among those could, while its server is down, become the near end of somebody's
 * connection, and the server could not come back. A client that tries again and again would even
 * get connected to itself in time.
 */
final class Ports {

  private static final int LOWEST = 10_000;
  private static final int COUNT = 10_000;

  /** How far above its port a cluster node listens for the others, unless told otherwise. */
  private static final int CLUSTER_BUS = 10_000;

  private Ports() {}

  /** A port that is free now, and whose cluster bus port is. Somebody may be quicker to take it. */
  static int free() {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      int port = LOWEST + ThreadLocalRandom.current().nextInt(COUNT);
      if (isFree(port) && isFree(port + CLUSTER_BUS)) {
        return port;
      }
    }
    throw new IllegalStateException("found no free port from " + LOWEST + " on");
  }

  private static boolean isFree(int port) {
    try {
      listen(port).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** May be bound although connections of an earlier listener on this port live on. */
  static ServerSocket listen(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(loopback(port), 511); // pending connections, as many as Redis has by default
      return listener;
    } catch (IOException e) {
      listener.close();
      throw e;
    }
  }

  /** Never ::1, where Redis does not listen. */
  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }
}
