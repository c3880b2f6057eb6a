package io.tidegate.server;

import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a node with a JSON body.
 *
 * @param status the HTTP status
 * @param headers the first value of each header, by its name in lower case
 * @param text the body
 */
record Answer(int status, Map<String, String> headers, String text) {

  static Answer of(HttpResponse<String> response) {
    Map<String, String> headers = new LinkedHashMap<>();
    response
        .headers()
        .map()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    return new Answer(response.statusCode(), headers, response.body());
  }

  /** Parses all bytes that a connection received until it was closed. */
  static Answer parse(String message) {
    String[] headAndBody = message.split("\r\n\r\n", 2);
    String[] lines = headAndBody[0].split("\r\n", -1);
    Map<String, String> headers = new LinkedHashMap<>();
    for (int i = 1; i < lines.length; i++) {
      String[] nameAndValue = lines[i].split(":", 2);
      headers.put(nameAndValue[0].toLowerCase(Locale.ROOT), nameAndValue[1].strip());
    }
    return new Answer(Integer.parseInt(lines[0].split(" ", 3)[1]), headers, headAndBody[1]);
  }

  @SuppressWarnings("unchecked")
  Map<String, Object> body() {
    return (Map<String, Object>) present(Json.parse(text), "body");
  }

  /** The value of a header, or null. */
  @Nullable
  String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  String contentType() {
    return (String) present(header("Content-Type"), "Content-Type");
  }

  /** The {@code data}, an object. */
  Map<String, Object> data() {
    return object("data");
  }

  /** The {@code data}, an array of objects. */
  List<Map<String, Object>> rows() {
    return objects(body().get("data"));
  }

  /** An array of objects in {@code data}, such as {@code limits} of a batch. */
  List<Map<String, Object>> rows(String field) {
    return objects(data().get(field));
  }

  Map<String, Object> pagination() {
    return object("pagination");
  }

  Map<String, Object> error() {
    return object("error");
  }

  /** The last part of the error's type. */
  String kind() {
    String type = (String) present(error().get("type"), "type");
    return type.substring(type.lastIndexOf('/') + 1);
  }

  /** The errors of single fields of the request. */
  List<Map<String, Object>> violations() {
    return objects(error().get("errors"));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> object(String field) {
    return (Map<String, Object>) present(body().get(field), field);
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> objects(@Nullable Object value) {
    return (List<Map<String, Object>>) present(value, "list");
  }

  private Object present(@Nullable Object value, String what) {
    if (value == null) {
      throw new AssertionError("no " + what + " in " + this);
    }
    return value;
  }

  @Override
  public String toString() {
    return status + " " + text;
  }
}
