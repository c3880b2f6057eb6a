package io.tidegate.server.api;

import io.tidegate.server.http.Call;
import io.tidegate.server.http.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the API, as it is in the jar. */
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
  public void handle(Call call, byte[] body) {
    call.succeed("application/yaml", content);
  }
}
