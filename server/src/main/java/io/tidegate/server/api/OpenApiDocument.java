package io.tidegate.server.api;

import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Serves {@code openapi.yaml}, the description of the API. */
final class OpenApiDocument implements Endpoint.Handler {

  private static final String FILE = "/io/tidegate/server/openapi.yaml";

  private final byte[] content;

  OpenApiDocument() {
    try (InputStream file = OpenApiDocument.class.getResourceAsStream(FILE)) {
      if (file == null) {
        throw new IllegalStateException("missing in the jar: " + FILE);
      }
      content = file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void handle(HttpExchange exchange, byte[] body) {
    exchange.succeed("application/yaml", content);
  }
}
