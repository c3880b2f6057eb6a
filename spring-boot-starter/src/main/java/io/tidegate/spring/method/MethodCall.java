package io.tidegate.spring.method;

import io.tidegate.rules.web.WebRequest;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of a limited method, as rules and expressions see it. It is the root object of
 * expressions: its public getters are their properties.
 *
 * <p>Rules decide on requests; a call is a request without anything of HTTP.
 */
final class MethodCall implements WebRequest {

  private final @Nullable Object target;
  private final Method method;
  private final @Nullable Object[] args;
  private final Supplier<@Nullable String> principal;

  MethodCall(
      @Nullable Object target,
      Method method,
      @Nullable Object[] args,
      Supplier<@Nullable String> principal) {
    this.target = target;
    this.method = method;
    this.args = args;
    this.principal = principal;
  }

  public @Nullable Object getTarget() {
    return target;
  }

  public Method getMethod() {
    return method;
  }

  public @Nullable Object[] getArgs() {
    return args;
  }

  public @Nullable String getPrincipal() {
    return principal.get();
  }

  @Override
  public String method() {
    return "POST"; // rules of methods match any
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
    return principal.get();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return WebRequest.cast(this, type);
  }
}
