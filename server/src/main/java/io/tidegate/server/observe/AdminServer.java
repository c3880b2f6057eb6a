package io.tidegate.server.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.server.log.Log;
import io.tidegate.server.observe.Dependency.State;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tells on a port of its own how the node is: metrics, whether it is ready, whether it lives. For
 * operators, not for clients; it asks for no key.
 */
public final class AdminServer {

  /** More than any scraper or probe sends. */
  private static final int MAX_HEADER_BYTES = 8 * 1024;

  private static final int MAX_LINE_BYTES = 1024;

  /** A scraper that comes every minute keeps its connection; one that hangs loses it. */
  private static final int IDLE_SECONDS = 65;

  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final List<String> PATHS = List.of("/metrics", "/ready", "/live", "/v2/liveness");

  private final JsonFactory json = new JsonFactory();
  private final Vertx vertx;
  private final Metrics metrics;
  private final Health health;
  private final HttpServer server;

  /** The scrape that is under way or was last; whoever asks meanwhile gets the same. */
  private @Nullable Future<Buffer> scrape;

  private AdminServer(Vertx vertx, String host, int port, Metrics metrics, Health health) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.health = health;
    HttpServerOptions options = new HttpServerOptions()
        .setHost(host)
        .setPort(port)
        .setHttp2ClearTextEnabled(false)
        .setMaxInitialLineLength(MAX_LINE_BYTES)
        .setMaxHeaderSize(MAX_HEADER_BYTES)
        .setIdleTimeout(IDLE_SECONDS)
        .setIdleTimeoutUnit(TimeUnit.SECONDS);
    this.server = vertx.createHttpServer(options).requestHandler(this::answer);
  }

  /**
   * Opens the port.
   *
   * @param host the address to listen on
   * @param port the port, 0 for any that is free
   * @param metrics what is shown under /metrics
   * @param health what is shown under /ready
   * @return the server, once it listens
   */
  public static Future<AdminServer> start(
      Vertx vertx, String host, int port, Metrics metrics, Health health) {
    AdminServer admin = new AdminServer(vertx, host, port, metrics, health);
    return admin.server.listen().map(admin);
  }

  /** The port that it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Closes the port and all connections to it. */
  public Future<Void> close() {
    return server.close();
  }

  private void answer(HttpServerRequest request) {
    String path = request.path();
    if (hasBody(request)) {
      // Whatever else it is: a body could go on for ever.
      end(request, 413, error("a request to this port has no body"))
          .onComplete(sent -> request.connection().close());
    } else if (path == null || !PATHS.contains(path)) {
      end(request, 404, error("not found; there are " + String.join(", ", PATHS)));
    } else if (request.method() != HttpMethod.GET) {
      request.response().putHeader("Allow", "GET");
      end(request, 405, error("only GET is allowed"));
    } else if (path.equals("/metrics")) {
      answerMetrics(request);
    } else if (path.equals("/ready")) {
      boolean ready = health.isReady();
      end(request, ready ? 200 : 503, readiness(ready));
    } else {
      end(request, 200, write(generator -> generator.writeStringField("status", "alive")));
    }
  }

  private void answerMetrics(HttpServerRequest request) {
    scrape().onSuccess(text -> end(request, 200, METRICS, text)).onFailure(failure -> {
      Log.warn("cannot collect metrics", failure);
      end(request, 500, error("the metrics could not be collected; the log says why"));
    });
  }

  private synchronized Future<Buffer> scrape() {
    if (scrape == null || scrape.isComplete()) {
      scrape = vertx.executeBlocking(() -> Buffer.buffer(metrics.scrape()));
    }
    return scrape;
  }

  private Buffer readiness(boolean ready) {
    return write(generator -> {
      generator.writeBooleanField("ready", ready);
      generator.writeStringField("status", health.status());
      if (health.hasRegionNameConflict()) {
        generator.writeStringField(
            "regionNameConflict",
            "another region uses the name of this one, and each hides the other's counts; give each a name of its own");
      }
      generator.writeObjectFieldStart("dependencies");
      for (Map.Entry<String, State> dependency : health.dependencies().entrySet()) {
        State state = dependency.getValue();
        generator.writeObjectFieldStart(dependency.getKey());
        generator.writeStringField("status", Registry.label(state.status()));
        if (state.reason() != null) {
          generator.writeStringField("reason", state.reason());
          generator.writeNumberField("degradedForSeconds", state.degradedMillis() / 1_000);
        }
        generator.writeEndObject();
      }
      generator.writeEndObject();
    });
  }

  private Buffer error(String message) {
    return write(generator -> generator.writeStringField("error", message));
  }

  private Buffer write(Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(text)) {
      generator.writeStartObject();
      fields.write(generator);
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a string takes everything
    }
    return Buffer.buffer(text.append('\n').toString());
  }

  private static Future<Void> end(HttpServerRequest request, int status, Buffer body) {
    return end(request, status, JSON, body);
  }

  private static Future<Void> end(HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      return Future.succeededFuture(); // whoever asked has left meanwhile
    }
    return response
        .setStatusCode(status)
        .putHeader("Content-Type", type)
        .putHeader("Cache-Control", "no-store")
        .end(body);
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    return request.headers().contains("Transfer-Encoding")
        || (length != null && !length.equals("0"));
  }

  /** Writes the fields of an object. */
  private interface Fields {
    void write(JsonGenerator generator) throws IOException;
  }
}
