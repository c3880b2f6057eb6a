package io.tidegate.spring;

import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebRequest;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;

/** The names that an expression can use in an application with Spring WebFlux. */
final class ExchangeRequestRoot extends RequestRoot {

  ExchangeRequestRoot(WebRequest view, KeyFunction address) {
    super(view, address);
  }

  public ServerHttpRequest getRequest() {
    return getExchange().getRequest();
  }

  public ServerWebExchange getExchange() {
    return view.unwrap(ServerWebExchange.class);
  }
}
