package io.tidegate.benchmarks.soak;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;

/** The admin port of a server. */
final class Admin {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;

  Admin(int port) {
    this.url = "http://127.0.0.1:" + port;
  }

  List<String> metrics() throws IOException {
    return get("/metrics").lines().toList();
  }

  /** Whether all dependencies work. */
  boolean isHealthy() throws IOException {
    return !"degraded".equals(new JsonObject(get("/ready")).getString("status"));
  }

  private String get(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT).build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException(path + " answered " + response.statusCode() + ": " + response.body());
      }
      return response.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(path + " was interrupted", e);
    }
  }
}
