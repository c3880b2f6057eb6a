package io.tidegate.benchmarks;

import java.util.function.BiFunction;

/** The limiters that nodes of a region can share, which are compared. */
enum RegionalContender {
  TIDEGATE("Tidegate", TidegateNode::new),
  PER_REQUEST("replay per request", PerRequestNode::new),
  BUCKET4J("bucket4j", Bucket4jNode::new);

  private final String label;
  private final BiFunction<String, Quota, RegionalLimiter> join;

  RegionalContender(String label, BiFunction<String, Quota, RegionalLimiter> join) {
    this.label = label;
    this.join = join;
  }

  String label() {
    return label;
  }

  /** A node that knows nobody yet, with connections of its own to this Redis. */
  RegionalLimiter join(String redisUri, Quota quota) {
    return join.apply(redisUri, quota);
  }

  /**
   * Whether Redis holds counts that can be summed up. bucket4j's buckets are its own affair; what
   * it answers is what Redis holds, so that nothing can be lost in between.
   */
  boolean keepsCountsInRedis() {
    return this != BUCKET4J;
  }
}
