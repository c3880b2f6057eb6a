package io.tidegate.server;

import java.io.IOException;

/** A server in its own process. Prints its port and its key; exits when its input ends. */
final class AbuseServerProcess {

  private AbuseServerProcess() {}

  public static void main(String[] args) throws IOException {
    try (Node node = Node.start(args)) {
      System.out.println(node.port() + " " + node.key());
      while (System.in.read() >= 0) {
        // discards the input
      }
    }
  }
}
