package io.tidegate.jaxrs;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Context;

/**
 * Takes the address of the client from the servlet container. Registered by
 * {@link RateLimitFeature#inServletContainer}; public, because JAX-RS creates it.
 */
@PreMatching
public final class ServletAddressFilter implements ContainerRequestFilter {

  /** A proxy for the current request. */
  private final HttpServletRequest request;

  /**
   * Creates the filter.
   *
   * @param request a proxy for the current request
   */
  public ServletAddressFilter(@Context HttpServletRequest request) {
    this.request = request;
  }

  @Override
  public void filter(ContainerRequestContext context) {
    context.setProperty(RateLimitFeature.REMOTE_ADDRESS, request.getRemoteAddr());
  }
}
