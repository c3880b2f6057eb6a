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

/**
 * What a server says about one request.
 *
 * @param error why it says nothing about it; null if it does
 * @param success whether the request may pass
 * @param limit how many may pass in a window
 * @param remaining how many are left
 * @param resetMillis when the window ends, in milliseconds since 1970
 * @param retryAfterMillis how long until this request would pass; null if it does, or never will
 * @param overrideId the override that set the limit; null if none did
 */
record LimitAnswer(
    @Nullable String error,
    boolean success,
    long limit,
    long remaining,
    long resetMillis,
    @Nullable Long retryAfterMillis,
    @Nullable String overrideId) {

  private static final JsonFactory JSON = new JsonFactory();

  /** The body of the request. */
  static String question(
      String namespace, String identifier, long limit, long durationMillis, long cost) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("namespace", namespace);
      json.writeStringField("identifier", identifier);
      json.writeNumberField("limit", limit);
      json.writeNumberField("duration", durationMillis);
      json.writeNumberField("cost", cost);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Throws if it is no answer of the API. */
  static LimitAnswer parse(String body) throws IOException {
    Map<String, String> values = values(body);
    if (values.containsKey("error.title") || values.containsKey("error.detail")) {
      return new LimitAnswer(
          values.getOrDefault("error.title", "")
              + (values.containsKey("error.detail") ? ": " + values.get("error.detail") : ""),
          false,
          0,
          0,
          0,
          null,
          null);
    }
    if (!values.containsKey("data.success")) {
      throw new IOException("no success in it");
    }
    return new LimitAnswer(
        null,
        values.get("data.success").equals("true"),
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
      throw new IOException("not a number: " + name, e);
    }
  }

  /** The values of an object and of those in it, by their path: {@code data.limit}. */
  private static Map<String, String> values(String body) throws IOException {
    Map<String, String> values = new HashMap<>();
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("not an object");
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

  /** For people. */
  String describe(long nowMillis) {
    StringBuilder text = new StringBuilder(success ? "allowed" : "denied");
    if (retryAfterMillis != null && !success) {
      text.append(", retry in ").append(time(retryAfterMillis));
    } else {
      text.append(", ").append(remaining).append(" of ").append(limit).append(" left");
      text.append(", window ends in ").append(time(Math.max(0, resetMillis - nowMillis)));
    }
    return overrideId == null ? text.toString() : text + " (override " + overrideId + ")";
  }

  /** In tenths of a second while they matter; never less than it is. */
  private static String time(long millis) {
    long tenths = (millis + 99) / 100;
    return tenths < 100
        ? String.format(Locale.ROOT, "%d.%d s", tenths / 10, tenths % 10)
        : (millis + 999) / 1_000 + " s";
  }
}
