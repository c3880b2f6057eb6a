/**
 * Limits the requests of JAX-RS applications by rules.
 *
 * <p>Start at {@link io.tidegate.jaxrs.RateLimitFeature}.
 */
@org.jspecify.annotations.NullMarked
module io.tidegate.jaxrs {
  requires transitive io.tidegate.rules;
  requires transitive jakarta.ws.rs;
  requires static transitive jakarta.servlet; // for applications in a servlet container

  exports io.tidegate.jaxrs;
}
