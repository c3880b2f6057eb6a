package io.tidegate.spring;

import io.tidegate.rules.web.WebRequest;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/** A request of Spring WebFlux as rules see it. */
final class ExchangeRequest implements WebRequest {

  private final ServerWebExchange exchange;
  private final @Nullable String principal;

  /**
   * The request of an exchange.
   *
   * @param principal the name of the authenticated user; null if there is none
   */
  ExchangeRequest(ServerWebExchange exchange, @Nullable String principal) {
    this.exchange = exchange;
    this.principal = principal;
  }

  @Override
  public String method() {
    return exchange.getRequest().getMethod().name();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Spring matches segments one by one, decoded and without their parameters. A slash that is
   * encoded in a segment does not separate segments, and stays encoded here.
   */
  @Override
  public String path() {
    StringBuilder path = new StringBuilder();
    for (PathContainer.Element element :
        exchange.getRequest().getPath().pathWithinApplication().elements()) {
      path.append(
          element instanceof PathContainer.PathSegment segment
              ? segment.valueToMatch().replace("/", "%2F")
              : element.value());
    }
    return path.isEmpty() || path.charAt(0) != '/' ? "/" + path : path.toString();
  }

  /** {@inheritDoc} By iteration, because the type of headers in Spring 7 is no map any more. */
  @Override
  public List<String> headers(String name) {
    List<String> values = new ArrayList<>(1);
    exchange.getRequest().getHeaders().forEach((field, held) -> {
      if (field.equalsIgnoreCase(name)) {
        values.addAll(held);
      }
    });
    return values;
  }

  @Override
  public @Nullable String header(String name) {
    return exchange.getRequest().getHeaders().getFirst(name);
  }

  @Override
  public @Nullable String cookie(String name) {
    HttpCookie cookie = exchange.getRequest().getCookies().getFirst(name);
    return cookie == null ? null : cookie.getValue();
  }

  @Override
  public @Nullable String remoteAddress() {
    InetSocketAddress address = exchange.getRequest().getRemoteAddress();
    if (address == null) {
      return null;
    }
    return address.getAddress() == null
        ? address.getHostString()
        : address.getAddress().getHostAddress();
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  /** {@inheritDoc} A {@link ServerWebExchange} or a {@link ServerHttpRequest}. */
  @Override
  public <T> T unwrap(Class<T> type) {
    ServerHttpRequest request = exchange.getRequest();
    return WebRequest.cast(type.isInstance(request) ? request : exchange, type);
  }
}
