package io.tidegate.servlet;

import io.tidegate.rules.web.WebRequest;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request of a servlet container, as rules see it. */
record ServletWebRequest(HttpServletRequest request) implements WebRequest {

  @Override
  public String method() {
    return request.getMethod().toUpperCase(Locale.ROOT);
  }

  /**
   * The path that the container has matched with its servlets: within the context, decoded,
   * normalized, without path parameters such as {@code ;jsessionid=...}.
   */
  @Override
  public String path() {
    String rest = request.getPathInfo();
    String path = rest == null ? request.getServletPath() : request.getServletPath() + rest;
    return path.isEmpty() ? "/" : path;
  }

  @Override
  public @Nullable String sentPath() {
    String uri = request.getRequestURI();
    return uri == null || isNormal(uri)
        ? null
        : decoded(uri.substring(Math.min(uri.length(), request.getContextPath().length())));
  }

  /** Whether the container has nothing to decode or to normalize, as in almost all requests. */
  private static boolean isNormal(String uri) {
    return uri.indexOf('%') < 0
        && uri.indexOf(';') < 0
        && !uri.contains("/.")
        && !uri.contains("//");
  }

  /** Segment by segment; a slash that is encoded in a segment stays encoded. */
  private static String decoded(String path) {
    StringBuilder decoded = new StringBuilder();
    for (String segment : path.split("/", -1)) {
      int parameters = segment.indexOf(';');
      String value = parameters < 0 ? segment : segment.substring(0, parameters);
      decoded.append('/').append(decodedSegment(value).replace("/", "%2F"));
    }
    return path.startsWith("/") ? decoded.substring(1) : decoded.toString();
  }

  private static String decodedSegment(String segment) {
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return segment; // no encoding; most containers reject such a request
    }
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> values = request.getHeaders(name);
    return values == null ? List.of() : Collections.list(values);
  }

  @Override
  public @Nullable String header(String name) {
    return request.getHeader(name);
  }

  @Override
  public @Nullable String cookie(String name) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name)) {
          return cookie.getValue();
        }
      }
    }
    return null;
  }

  @Override
  public @Nullable String remoteAddress() {
    return request.getRemoteAddr();
  }

  @Override
  public @Nullable String principal() {
    Principal principal = request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return WebRequest.cast(request, type);
  }
}
