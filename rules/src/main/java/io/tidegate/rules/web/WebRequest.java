package io.tidegate.rules.web;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an HTTP request that rules read. Each front implements it for the requests of its
 * framework.
 *
 * <pre>{@code
 * KeyFunction tenant = request -> request.header("X-Tenant");
 * KeyFunction session = request -> request.unwrap(HttpServletRequest.class).getRequestedSessionId();
 * }</pre>
 *
 * <p>A request is valid until the call that received it returns. Implementations need not be
 * thread-safe.
 */
public interface WebRequest {

  /**
   * Returns the method: {@code request.method().equals("POST")}.
   *
   * @return in upper case
   */
  String method();

  /**
   * Returns the path within the application, as the framework matches it with handlers: decoded,
   * without query and path parameters: {@code request.path().startsWith("/api/")}.
   *
   * @return begins with {@code /}
   */
  String path();

  /**
   * Returns the path that the client has sent, decoded and without path parameters as
   * {@link #path()}, if it is another one because the server has normalized it. A framework behind
   * the server may match this one: {@code /api/%2e%2e/x} is {@code /x} to Tomcat, and a request for
   * <code>/api/{a}/{b}</code> to Spring MVC. So a rule covers a request by either path, which keeps
   * clients from evading it.
   *
   * @return begins with {@code /}; null if {@link #path()} is the only one
   */
  default @Nullable String sentPath() {
    return null;
  }

  /**
   * Returns the values of a header: {@code request.headers("X-Forwarded-For")}.
   *
   * @param name in any case
   * @return in the order of the request; empty if it does not have the header
   */
  List<String> headers(String name);

  /**
   * Returns the first value of a header: {@code request.header("X-Api-Key")}.
   *
   * @param name in any case
   * @return null if the request does not have the header
   */
  default @Nullable String header(String name) {
    List<String> values = headers(name);
    return values.isEmpty() ? null : values.get(0);
  }

  /**
   * Returns the value of a cookie: {@code request.cookie("session")}.
   *
   * @param name the name, whose case matters
   * @return null if the request does not have the cookie
   */
  @Nullable
  String cookie(String name);

  /**
   * Returns the address of the other end of the connection, which is a proxy if there is one.
   * {@link KeyFunction#clientAddress(int)} finds the client behind proxies.
   *
   * @return null if the framework does not provide it
   */
  @Nullable
  String remoteAddress();

  /**
   * Returns the name of the authenticated user: {@code request.principal()}.
   *
   * @return null before authentication, and for anonymous requests
   */
  @Nullable
  String principal();

  /**
   * Returns the request of the framework, for keys that need more than this view:
   * {@code request.unwrap(HttpServletRequest.class)}.
   *
   * @param type the type that the front documents
   * @param <T> the same
   * @return the request
   * @throws IllegalArgumentException if the request has another type
   */
  <T> T unwrap(Class<T> type);

  /**
   * Casts the request of a framework, for implementations of {@link #unwrap}: {@code return
   * WebRequest.cast(exchange, type);}
   *
   * @param request the request
   * @param type the expected type
   * @param <T> the same
   * @return the request
   * @throws IllegalArgumentException if the request has another type
   */
  static <T> T cast(Object request, Class<T> type) {
    if (!type.isInstance(request)) {
      throw new IllegalArgumentException("the request is a "
          + request.getClass().getName() + ", which is not a " + type.getName());
    }
    return type.cast(request);
  }
}
