package io.tidegate.jaxrs;

import io.tidegate.rules.web.WebRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.PathSegment;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request of a JAX-RS application, as rules see it. */
record JaxRsWebRequest(
    ContainerRequestContext context, Function<ContainerRequestContext, @Nullable String> address)
    implements WebRequest {

  @Override
  public String method() {
    return context.getMethod().toUpperCase(Locale.ROOT);
  }

  /**
   * The path below the application's base, decoded, without matrix parameters. An encoded slash
   * stays encoded, because it does not separate segments when resources are matched.
   */
  @Override
  public String path() {
    StringBuilder path = new StringBuilder();
    for (PathSegment segment : context.getUriInfo().getPathSegments()) {
      path.append('/').append(segment.getPath().replace("/", "%2F"));
    }
    return path.isEmpty() ? "/" : path.toString();
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = context.getHeaders().get(name);
    return values == null ? List.of() : values;
  }

  @Override
  public @Nullable String cookie(String name) {
    Cookie cookie = context.getCookies().get(name);
    return cookie == null ? null : cookie.getValue();
  }

  @Override
  public @Nullable String remoteAddress() {
    return address.apply(context);
  }

  @Override
  public @Nullable String principal() {
    SecurityContext security = context.getSecurityContext();
    Principal principal = security == null ? null : security.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return WebRequest.cast(context, type);
  }
}
