package io.tidegate.rules.web;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds the key of a request: the user, API key or address whose requests a rule counts together.
 *
 * <pre>{@code
 * KeyFunction.header("X-Api-Key").orElse(KeyFunction.clientAddress())
 * }</pre>
 *
 * <p>A function runs for each request that its rule applies to, on the thread of the request, and
 * must not block.
 */
@FunctionalInterface
public interface KeyFunction {

  /**
   * Returns the key of a request. The same key in different rules is counted separately.
   *
   * @param request the request
   * @return null or a blank text if the request has none; {@link MissingKey} says what happens then
   */
  @Nullable
  String keyOf(WebRequest request);

  /**
   * The first value of a header: {@code KeyFunction.header("X-Api-Key")}. Use it for values that
   * are verified before or after the limit: a client that may send any value evades the limit.
   *
   * @param name the name of the header
   * @return the function
   */
  static KeyFunction header(String name) {
    Tokens.check("name of a header", name);
    return request -> request.header(name);
  }

  /**
   * The value of a cookie: {@code KeyFunction.cookie("session")}. What {@link #header} says about
   * unverified values applies to cookies too.
   *
   * @param name the name of the cookie
   * @return the function
   */
  static KeyFunction cookie(String name) {
    Tokens.check("name of a cookie", name);
    return request -> request.cookie(name);
  }

  /**
   * The name of the authenticated user: {@code KeyFunction.principal()}. The front must decide
   * after authentication.
   *
   * @return the function
   */
  static KeyFunction principal() {
    return WebRequest::principal;
  }

  /**
   * The address of the connection, for applications that clients connect to directly:
   * {@code KeyFunction.clientAddress()}. Headers are ignored. An IPv6 address counts by its first
   * 64 bits, which is what a client usually has to itself.
   *
   * @return the function
   */
  static KeyFunction clientAddress() {
    return clientAddress(0);
  }

  /**
   * The address of the client behind proxies: {@code KeyFunction.clientAddress(1)} behind one load
   * balancer. This is the entry of {@code X-Forwarded-For} that the outermost trusted proxy added;
   * entries before it may be forged and are ignored.
   *
   * @param trustedProxies the number of proxies that each request passes; with 0, as
   *     {@link #clientAddress()}
   * @return the function
   */
  static KeyFunction clientAddress(int trustedProxies) {
    if (trustedProxies < 0) {
      throw new IllegalArgumentException(
          "number of trusted proxies must not be negative: " + trustedProxies);
    }
    return request -> ClientAddress.networkOf(request, trustedProxies);
  }

  /**
   * The same key for all requests, for a limit on all clients together:
   * {@code KeyFunction.constant("all")}.
   *
   * @param key the key
   * @return the function
   */
  static KeyFunction constant(String key) {
    if (Objects.requireNonNull(key, "key must not be null").isBlank()) {
      throw new IllegalArgumentException("constant key must not be blank: \"" + key + "\"");
    }
    return request -> key;
  }

  /**
   * Returns a function that asks another one if this one finds no key:
   * {@code KeyFunction.principal().orElse(KeyFunction.clientAddress())}.
   *
   * @param other the other function
   * @return the function
   */
  default KeyFunction orElse(KeyFunction other) {
    Objects.requireNonNull(other, "other must not be null");
    return request -> {
      String key = keyOf(request);
      return key == null || key.isBlank() ? other.keyOf(request) : key;
    };
  }
}
