package io.tidegate.jaxrs;

import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.web.WebDecision;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.MultivaluedMap;

/** Adds the headers of decisions to responses, allowed or denied. */
final class HeaderFilter implements ContainerResponseFilter {

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    MultivaluedMap<String, Object> headers = response.getHeaders();
    for (WebDecision decision : DecidingFilter.decisions(request)) {
      decision.headers().forEach((name, value) -> {
        if (name.equals(DecisionHeaders.POLICY_FIELD) || name.equals(DecisionHeaders.STATE_FIELD)) {
          headers.add(name, value); // both are lists
        } else {
          headers.putSingle(name, value);
        }
      });
    }
  }
}
