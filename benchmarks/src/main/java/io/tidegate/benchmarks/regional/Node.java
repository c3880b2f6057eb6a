package io.tidegate.benchmarks.regional;

/** The rate limiter of one node, which shares its counts with other nodes through Redis. */
interface Node extends AutoCloseable {

  /** Requests one token. */
  boolean allow(String identifier);

  /** Tokens of all nodes that this node counts, determined by a peek. */
  long count(String identifier);

  /** Whether counts are still to be sent to Redis. */
  boolean hasPending();

  /** Admitted tokens that will never be sent to Redis. */
  long dropped();

  @Override
  void close();
}
