/**
 * Limits the requests of servlet applications by rules.
 *
 * <p>Start at {@link io.tidegate.servlet.RateLimitFilter}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.servlet {
  requires transitive io.tidegate.rules;
  requires transitive jakarta.servlet;

  exports io.tidegate.servlet;
}
