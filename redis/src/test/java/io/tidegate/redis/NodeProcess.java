package io.tidegate.redis;

import io.tidegate.RateLimiter;
import java.io.IOException;

/**
 * A node in a process of its own: waits for the others and for a line of input, sends requests,
 * closes, and prints the number of allowed ones.
 */
final class NodeProcess {

  private NodeProcess() {}

  public static void main(String[] args) throws IOException {
    long limit = Long.parseLong(args[2]);
    int requests = Integer.parseInt(args[3]);
    int processes = Integer.parseInt(args[4]);
    long allowed = 0;
    try (RateLimiter node = RateLimiter.builder()
        .region(Nodes.REGION)
        .origin(RedisOrigin.connect(args[0]))
        .build()) {
      Nodes.await("Redis to answer", () -> !Nodes.take(node, "warm-up", 10, 0).degraded());
      Nodes.await("the other nodes", () -> node.stats().liveNodes() == processes);
      System.out.println("ready");
      System.in.read(); // until all are
      for (int i = 0; i < requests; i++) {
        allowed += Nodes.take(node, args[1], limit, 1).allowed() ? 1 : 0;
      }
    }
    System.out.println(allowed);
  }
}
