package io.tidegate.benchmarks.regional;

import io.tidegate.benchmarks.load.Quota;
import java.util.function.BiFunction;

/** The limiters that are compared. */
enum Contender {
  TIDEGATE("Tidegate", TidegateNode::new),
  PER_REQUEST("replay per request", PerRequestNode::new),
  BUCKET4J("bucket4j", Bucket4jNode::new);

  /** The rate limiter of one node, which shares its counts with other nodes through Redis. */
  interface Node extends AutoCloseable {

    /** Requests one token. */
    boolean allow(String identifier);

    /** Tokens of all nodes that this node counts, determined by a peek. */
    long count(String identifier);

    /** Whether counts are still to be sent to Redis. */
    default boolean hasPending() {
      return false;
    }

    @Override
    void close();
  }

  final String label;

  @SuppressWarnings("ImmutableEnumChecker") // a constructor, which has no state
  private final BiFunction<String, Quota, Node> join;

  Contender(String label, BiFunction<String, Quota, Node> join) {
    this.label = label;
    this.join = join;
  }

  /** Creates an empty node with its own connections to this Redis. */
  Node join(String redisUri, Quota quota) {
    return join.apply(redisUri, quota);
  }

  /**
   * Whether Redis holds counts to add up. The buckets of bucket4j are opaque; it decides by what
   * Redis holds, so it cannot lose counts.
   */
  boolean keepsCountsInRedis() {
    return this != BUCKET4J;
  }
}
