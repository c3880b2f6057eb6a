/**
 * The limiter: decides from memory; what it shares with other nodes goes through ports.
 *
 * <p>Start at {@link io.tidegate.RateLimiter}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.core {
  requires static transitive org.jspecify;

  exports io.tidegate;
  exports io.tidegate.model;
  exports io.tidegate.spi;
  exports io.tidegate.testing;
}
