package io.tidegate.server;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An answer of a node, whose body is JSON. */
record Answer(HttpResponse<String> response, Map<String, Object> body) {

  @SuppressWarnings("unchecked")
  static Answer of(HttpResponse<String> response) {
    return new Answer(
        response, (Map<String, Object>) Objects.requireNonNull(Json.parse(response.body())));
  }

  int status() {
    return response.statusCode();
  }

  /** Null if it has none. */
  @Nullable
  String header(String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  String contentType() {
    return Objects.requireNonNull(header("Content-Type"));
  }

  /** The data, which is an object. */
  Map<String, Object> data() {
    return object("data");
  }

  /** The data, which is an array of objects. */
  List<Map<String, Object>> rows() {
    return objects(body.get("data"));
  }

  /** Such as {@code limits} of a batch. */
  List<Map<String, Object>> rows(String field) {
    return objects(data().get(field));
  }

  Map<String, Object> pagination() {
    return object("pagination");
  }

  Map<String, Object> error() {
    return object("error");
  }

  /** The last part of the error's type, which tells kinds of errors apart. */
  String kind() {
    String type = (String) error().get("type");
    return type.substring(type.lastIndexOf('/') + 1);
  }

  /** What is wrong with the parts of the request. */
  List<Map<String, Object>> violations() {
    return objects(error().get("errors"));
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> object(String field) {
    return (Map<String, Object>) present(body.get(field), field);
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
    return status() + " " + response.body();
  }
}
