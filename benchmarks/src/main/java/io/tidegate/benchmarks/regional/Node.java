package io.tidegate.benchmarks;

/** The rate limiter of one node, which shares its counts with other nodes through Redis. */
interface RegionalLimiter extends AutoCloseable {

  /** Asks for one token. */
  boolean allow(String identifier);

  /** How many tokens this node knows to be taken, whoever took them; asks like any request. */
  long known(String identifier);

  /** How much is still on its way to Redis; 0 when Redis knows all that it will be told. */
  long untold();

  /** How many tokens were given away that Redis will never be told of. */
  long dropped();

  @Override
  void close();
}
