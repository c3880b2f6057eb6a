package io.tidegate.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.MissingKey;
import io.tidegate.rules.web.WebRule;
import java.util.Objects;

/**
 * Paths and keys for {@linkplain WebRule rules} on gRPC calls.
 *
 * <pre>{@code
 * WebRule logins = WebRule.named("logins")
 *     .path(GrpcRules.method(UsersGrpc.getLoginMethod()))
 *     .key(GrpcRules.metadata(API_KEY).orElse(KeyFunction.clientAddress()))
 *     .limit(Limit.perMinute(10))
 *     .build();
 * }</pre>
 *
 * <p>To rules, a call is a request with the method {@code POST} and the path
 * {@code /package.Service/Method}, as in HTTP/2. {@link KeyFunction#header} reads metadata,
 * {@link KeyFunction#clientAddress} the peer's address, and {@link KeyFunction#principal} the
 * certificate of the client.
 */
public final class GrpcRules {

  private GrpcRules() {}

  /**
   * The path of a method: {@code path(GrpcRules.method(UsersGrpc.getLoginMethod()))}.
   *
   * @param method the method, from generated code
   * @return {@code /package.Service/Method}
   */
  public static String method(MethodDescriptor<?, ?> method) {
    return "/" + method.getFullMethodName();
  }

  /**
   * The pattern of all methods of a service:
   * {@code path(GrpcRules.service(UsersGrpc.getServiceDescriptor()))}.
   *
   * @param service the service, from generated code
   * @return {@code /package.Service/*}
   */
  public static String service(ServiceDescriptor service) {
    return "/" + service.getName() + "/*";
  }

  /**
   * A key from the first value of a metadata entry: {@code key(GrpcRules.metadata(API_KEY))}. Use
   * it for values that are verified before or after the limit: a client that may send any value
   * evades the limit.
   *
   * @param key the key of the entry
   * @return the function
   */
  public static KeyFunction metadata(Metadata.Key<String> key) {
    Objects.requireNonNull(key, "key must not be null");
    return request -> {
      Iterable<String> values = request.unwrap(Metadata.class).getAll(key);
      return values == null ? null : values.iterator().next();
    };
  }

  /**
   * A key from the context, where an interceptor for authentication puts the user:
   * {@code key(GrpcRules.context(USER))}. That interceptor must run before the one for limits, so
   * it must be added to the server after it. Calls without a value have {@linkplain MissingKey no
   * key}.
   *
   * @param key the key of the value, whose text is used
   * @return the function
   */
  public static KeyFunction context(Context.Key<?> key) {
    Objects.requireNonNull(key, "key must not be null");
    return request -> {
      Object value = key.get();
      return value == null ? null : value.toString();
    };
  }
}
