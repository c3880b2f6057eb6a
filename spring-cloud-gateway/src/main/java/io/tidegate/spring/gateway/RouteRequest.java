package io.tidegate.spring.gateway;

import io.tidegate.rules.web.WebRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code RateLimiter} of the gateway receives of a request: the key that a
 * {@code KeyResolver} found.
 *
 * @param key the key; blank if there is none
 */
record RouteRequest(String key) implements WebRequest {

  @Override
  public String method() {
    return "GET"; // the rule of a route matches any
  }

  @Override
  public String path() {
    return "/";
  }

  @Override
  public List<String> headers(String name) {
    return List.of();
  }

  @Override
  public @Nullable String cookie(String name) {
    return null;
  }

  @Override
  public @Nullable String remoteAddress() {
    return null;
  }

  @Override
  public @Nullable String principal() {
    return null;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return WebRequest.cast(this, type);
  }
}
