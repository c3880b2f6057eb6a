package io.tidegate.server.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of a server to one {@code limit} request. */
sealed interface LimitAnswer {

  /** An error of the API, such as an unknown key. */
  record Rejection(String reason) implements LimitAnswer {}

  /**
   * A decision.
   *
   * @param allowed whether the request is allowed
   * @param limit tokens per window
   * @param remaining tokens left in the window
   * @param resetMillis end of the window, in milliseconds since 1970
   * @param retryAfterMillis time until the request would be allowed; null if it is allowed, or can
   *     never be
   * @param overrideId id of the override that set the limit; null if none did
   */
  record Verdict(
      boolean allowed,
      long limit,
      long remaining,
      long resetMillis,
      @Nullable Long retryAfterMillis,
      @Nullable String overrideId)
      implements LimitAnswer {

    /** A line for people. */
    String describe(long nowMillis) {
      StringBuilder text = new StringBuilder(allowed ? "allowed" : "denied");
      if (retryAfterMillis != null && !allowed) {
        text.append(", retry in ").append(time(retryAfterMillis));
      } else {
        text.append(", ").append(remaining).append(" of ").append(limit).append(" left");
        text.append(", window ends in ").append(time(Math.max(0, resetMillis - nowMillis)));
      }
      return overrideId == null ? text.toString() : text + " (override " + overrideId + ")";
    }

    /** Rounded up, to tenths below 10 seconds and to seconds above. */
    private static String time(long millis) {
      long tenths = (millis + 99) / 100;
      return tenths < 100
          ? String.format(Locale.ROOT, "%d.%d s", tenths / 10, tenths % 10)
          : (millis + 999) / 1_000 + " s";
    }
  }

  /** The body of a request that contains its limit. */
  static String requestBody(
      String namespace, String identifier, long limit, long durationMillis, long cost) {
    return requestBody(namespace, identifier, cost, json -> {
      json.writeNumberField("limit", limit);
      json.writeNumberField("duration", durationMillis);
    });
  }

  /** The body of a request that names a rule. */
  static String requestBody(String namespace, String identifier, String rule, long cost) {
    return requestBody(namespace, identifier, cost, json -> json.writeStringField("rule", rule));
  }

  /** Writes the limit of a request. */
  interface LimitFields {
    void write(JsonGenerator json) throws IOException;
  }

  private static String requestBody(
      String namespace, String identifier, long cost, LimitFields limit) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("namespace", namespace);
      json.writeStringField("identifier", identifier);
      limit.write(json);
      json.writeNumberField("cost", cost);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /**
   * Parses the body of an answer.
   *
   * @throws IOException if it is not an answer of the API
   */
  static LimitAnswer parse(String body) throws IOException {
    Map<String, String> values = values(body);
    String title = values.getOrDefault("error.title", "");
    String detail = values.get("error.detail");
    if (detail != null) {
      return new Rejection(title + ": " + detail);
    }
    if (!title.isEmpty()) {
      return new Rejection(title);
    }
    String allowed = values.get("data.success");
    if (allowed == null) {
      throw new IOException("data.success is missing");
    }
    return new Verdict(
        allowed.equals("true"),
        number(values, "data.limit"),
        number(values, "data.remaining"),
        number(values, "data.reset"),
        values.containsKey("data.retryAfter") ? number(values, "data.retryAfter") : null,
        values.get("data.overrideId"));
  }

  private static long number(Map<String, String> values, String name) throws IOException {
    try {
      return Long.parseLong(values.getOrDefault(name, ""));
    } catch (NumberFormatException e) {
      throw new IOException(name + " must be a number", e);
    }
  }

  /** The scalar values of nested objects, by their path: {@code data.limit}. */
  private static Map<String, String> values(String body) throws IOException {
    Map<String, String> values = new HashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not a JSON object");
      }
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
          values.putIfAbsent(
              parser.getParsingContext().pathAsPointer().toString().substring(1).replace('/', '.'),
              parser.getText());
        }
      }
    }
    return values;
  }
}
