package io.tidegate.server.http;

/** The JSON around every answer: {@code {"meta": {"requestId": ...}, "data" or "error": ...}}. */
final class Envelope {

  private Envelope() {}

  static JsonWriter data(JsonWriter json, String requestId, JsonContent content) {
    begin(json, requestId);
    json.name("data");
    content.writeTo(json);
    return json.endObject();
  }

  static JsonWriter error(JsonWriter json, String requestId, Problem problem) {
    begin(json, requestId);
    json.name("error").beginObject();
    json.field("title", problem.title());
    json.field("detail", problem.detail());
    json.field("status", problem.status());
    json.field("type", problem.type());
    if (problem.status() == 400) { // clients expect the list in every 400, even if it is empty
      writeErrors(json, problem);
    }
    return json.endObject().endObject();
  }

  private static void begin(JsonWriter json, String requestId) {
    json.clear().beginObject();
    json.name("meta").beginObject().field("requestId", requestId).endObject();
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
