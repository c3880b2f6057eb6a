package io.tidegate.global;

import io.tidegate.spi.Component;
import java.util.concurrent.CompletableFuture;

/** Receives the components of one pull, on one thread at a time. */
interface Imports {

  /** How many of the components were stored. */
  enum Stored {
    ALL,

    /** Some were not: those of a part of the origin that does not work. */
    SOME,

    /** A call has stored nothing, and the rest was given up. */
    GIVEN_UP
  }

  /**
   * Receives a component of a cell that has not expired.
   *
   * @return whether it was of use
   */
  boolean take(Component component, long nowMillis);

  /**
   * All components of the pull were received, or it has failed.
   *
   * @return completes when the components are stored; never fails
   */
  CompletableFuture<Stored> end();
}
