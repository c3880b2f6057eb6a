package io.tidegate.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Requests decisions from servers over persistent connections. Never retries a request. */
final class Client {

  /** A whole run is in one window, unless it starts in the last minutes of the thirty days. */
  static final long WINDOW_MILLIS = Duration.ofDays(30).toMillis();

  /** More than any test counts, so that {@code remaining} shows the whole count. */
  static final long UNLIMITED = 1_000_000_000_000L;

  /**
   * A request waits at most 300 ms for Redis, and 1 s for a new namespace; the rest allows for a
   * busy machine.
   */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

  private static final Pattern REMAINING = Pattern.compile("\"remaining\":(\\d+)");

  private static final HttpClient HTTP = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(LONGEST_WAIT)
      .build();

  private final String key;

  Client(String key) {
    this.key = key;
  }

  record Answer(int status, String body) {

    /** Whether the request was within its limit. */
    boolean success() {
      return status == 200 && body.contains("\"success\":true");
    }

    long remaining() {
      Matcher remaining = REMAINING.matcher(body);
      if (!remaining.find()) {
        throw new AssertionError("no field 'remaining' in " + this);
      }
      return Long.parseLong(remaining.group(1));
    }
  }

  /** Requests tokens of a limit. */
  Answer take(NodeProcess node, String identifier, long limit, long cost) throws IOException {
    return send(HttpRequest.newBuilder(node.uri("/v2/ratelimit.limit"))
        .header("Authorization", "Bearer " + key)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body(identifier, limit, cost)))
        .build());
  }

  static String body(String identifier, long limit, long cost) {
    return "{\"namespace\":\"calls\",\"identifier\":\"%s\",\"limit\":%d,\"duration\":%d,\"cost\":%d}"
        .formatted(NodeProcess.PERSON + "/" + identifier, limit, WINDOW_MILLIS, cost);
  }

  /** Like {@link #take}, but fails the test if the node does not answer. */
  Answer mustTake(NodeProcess node, String identifier, long limit, long cost) {
    try {
      return take(node, identifier, limit, cost);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + node, e);
    }
  }

  /** The count of a series on a node. */
  long count(NodeProcess node, String identifier) {
    return UNLIMITED - mustTake(node, identifier, UNLIMITED, 0).remaining();
  }

  /** Sends a GET request; returns status 0 if there is no answer. */
  static Answer get(URI uri) {
    try {
      return send(HttpRequest.newBuilder(uri).build());
    } catch (IOException e) {
      return new Answer(0, e.toString());
    }
  }

  private static Answer send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response =
          HTTP.send(timed(request), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpRequest timed(HttpRequest request) {
    return HttpRequest.newBuilder(request, (name, value) -> true)
        .timeout(LONGEST_WAIT)
        .build();
  }
}
