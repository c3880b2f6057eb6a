package io.tidegate.server.http;

import io.vertx.core.buffer.Buffer;

/** The JSON around every answer: {@code {"meta": {"requestId": ...}, "data" or "error": ...}}. */
final class Envelope {

  private Envelope() {}

  static Buffer data(String requestId, JsonContent content) {
    JsonWriter json = begin(requestId);
    json.name("data");
    content.writeTo(json);
    return json.endObject().toBuffer();
  }

  static Buffer error(String requestId, Problem problem) {
    JsonWriter json = begin(requestId);
    json.name("error").beginObject();
    json.field("title", problem.title());
    json.field("detail", problem.detail());
    json.field("status", problem.status());
    json.field("type", problem.type());
    if (problem.status() == 400) { // clients expect the list in every 400, even if it is empty
      writeErrors(json, problem);
    }
    return json.endObject().endObject().toBuffer();
  }

  private static JsonWriter begin(String requestId) {
    JsonWriter json = new JsonWriter();
    json.beginObject();
    json.name("meta").beginObject().field("requestId", requestId).endObject();
    return json;
  }

  private static void writeErrors(JsonWriter json, Problem problem) {
    json.name("errors").beginArray();
    for (InputError error : problem.errors()) {
      json.beginObject();
      json.field("location", error.location());
      json.field("message", error.message());
      if (error.fix() != null) {
        json.field("fix", error.fix());
      }
      json.endObject();
    }
    json.endArray();
  }
}
