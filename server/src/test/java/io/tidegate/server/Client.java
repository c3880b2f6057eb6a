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

/** Asks servers for decisions, over connections that it keeps. Sends nothing twice. */
final class Client {

  /** One window holds a whole run, unless it begins in the last minutes of the thirty days. */
  static final long WINDOW_MILLIS = Duration.ofDays(30).toMillis();

  /** More than any test counts: who asks with it is always told the whole count. */
  static final long UNLIMITED = 1_000_000_000_000L;

  /**
   * A request waits for Redis for 300 ms at most, and for a new namespace for 1 s; the rest is for
   * a machine that is busy with other things.
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

  /** What was answered. */
  record Answer(int status, String body) {

    /** Whether the request was within its limit. */
    boolean success() {
      return status == 200 && body.contains("\"success\":true");
    }

    long remaining() {
      Matcher remaining = REMAINING.matcher(body);
      if (!remaining.find()) {
        throw new AssertionError("nothing remains in " + this);
      }
      return Long.parseLong(remaining.group(1));
    }
  }

  /** Takes tokens of a limit. */
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

  /** The same, of a node that has to answer. */
  Answer mustTake(NodeProcess node, String identifier, long limit, long cost) {
    try {
      return take(node, identifier, limit, cost);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + node, e);
    }
  }

  /** What a node knows to have been counted. */
  long look(NodeProcess node, String identifier) {
    return UNLIMITED - mustTake(node, identifier, UNLIMITED, 0).remaining();
  }

  /** Asks the admin port; status 0 if nobody answers. */
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
