package io.tidegate.rules.web;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request without a server. */
final class TestRequest implements WebRequest {

  private final String method;
  private final String path;
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, String> cookies = new HashMap<>();
  private @Nullable String remoteAddress = "203.0.113.7";
  private @Nullable String principal;
  private @Nullable String sentPath;

  private TestRequest(String method, String path) {
    this.method = method;
    this.path = path;
  }

  static TestRequest get(String path) {
    return new TestRequest("GET", path);
  }

  static TestRequest of(String method, String path) {
    return new TestRequest(method, path);
  }

  TestRequest withHeader(String name, String... values) {
    headers.put(name.toLowerCase(Locale.ROOT), List.of(values));
    return this;
  }

  TestRequest withCookie(String name, String value) {
    cookies.put(name, value);
    return this;
  }

  TestRequest from(@Nullable String address) {
    remoteAddress = address;
    return this;
  }

  TestRequest by(String name) {
    principal = name;
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  TestRequest sentAs(String other) {
    sentPath = other;
    return this;
  }

  @Override
  public @Nullable String sentPath() {
    return sentPath;
  }

  @Override
  public List<String> headers(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  @Override
  public @Nullable String cookie(String name) {
    return cookies.get(name);
  }

  @Override
  public @Nullable String remoteAddress() {
    return remoteAddress;
  }

  @Override
  public @Nullable String principal() {
    return principal;
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return WebRequest.cast(this, type);
  }
}
