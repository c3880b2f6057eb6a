package io.tidegate.server.http;

/** Writes the {@code data} of an answer, and any fields that follow it. */
public interface JsonContent {

  /** Writes the content; called once, on the event loop of the exchange. */
  void writeTo(JsonWriter json);
}
