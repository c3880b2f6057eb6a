package io.tidegate.server.observe;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.model.LimiterStats;
import io.tidegate.server.log.Log;
import io.tidegate.server.observe.Dependency.State;
import io.vertx.core.Future;
import io.vertx.core.Handler;
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
 * HTTP server for operators, on its own port: metrics, readiness and liveness, and the console.
 * Only the console has authentication, so the port must not be reachable by clients.
 *
 * <p>Requests are handled on an event loop; metrics are collected on a worker thread.
 */
public final class AdminServer {

  /** More than scrapers and probes send. */
  private static final int MAX_HEADER_BYTES = 8 * 1024;

  private static final int MAX_LINE_BYTES = 1024;

  /** Longer than a minute, the usual scrape interval, so that scrapers keep their connection. */
  private static final int IDLE_SECONDS = 65;

  private static final String JSON = "application/json";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String CONSOLE = "/console/";
  private static final List<String> PATHS = List.of("/metrics", "/ready", "/live", "/v2/liveness");

  private final JsonFactory json = new JsonFactory();
  private final Vertx vertx;
  private final Metrics metrics;
  private final Health health;

  /** Answers requests for paths below {@link #CONSOLE}; null without a console. */
  private final @Nullable Handler<HttpServerRequest> console;

  private final HttpServer server;

  /** The current or last scrape. Requests that arrive during a scrape share it. Guarded by this. */
  private @Nullable Future<Buffer> scrape;

  private AdminServer(
      Vertx vertx,
      String host,
      int port,
      Metrics metrics,
      Health health,
      @Nullable Handler<HttpServerRequest> console) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.health = health;
    this.console = console;
    HttpServerOptions options = new HttpServerOptions()
        .setHost(host)
        .setPort(port)
        .setHttp2ClearTextEnabled(false)
        .setHandle100ContinueAutomatically(true)
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
   * @param port the port to listen on; 0 for any free port
   * @param metrics the content of /metrics
   * @param health the content of /ready
   * @param console answers requests for paths below /console/; null without a console
   * @return the server, when it listens
   */
  public static Future<AdminServer> start(
      Vertx vertx,
      String host,
      int port,
      Metrics metrics,
      Health health,
      @Nullable Handler<HttpServerRequest> console) {
    AdminServer admin = new AdminServer(vertx, host, port, metrics, health, console);
    return admin.server.listen().map(admin);
  }

  /** The port that the server listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Closes the port and all connections to it. */
  public Future<Void> close() {
    return server.close();
  }

  private void answer(HttpServerRequest request) {
    String path = request.path();
    Handler<HttpServerRequest> responsible =
        path != null && path.startsWith(CONSOLE) ? console : null;
    boolean question = responsible != null && request.method().equals(HttpMethod.POST);
    if (hasBody(request) && !question) {
      // Checked first: a body may be endless.
      end(request, 413, error("requests to this port must not have a body"))
          .onComplete(sent -> request.connection().close());
    } else if (responsible != null) {
      responsible.handle(request);
    } else if (console != null && path != null && (path.equals("/") || path.equals("/console"))) {
      request.response().putHeader("Location", CONSOLE);
      end(request, 302, error("the console is at " + CONSOLE));
    } else if (path == null || !PATHS.contains(path)) {
      end(request, 404, error("not found; available paths: " + paths()));
    } else if (!request.method().equals(HttpMethod.GET)) {
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

  private String paths() {
    return String.join(", ", PATHS) + (console == null ? "" : ", " + CONSOLE);
  }

  private void answerMetrics(HttpServerRequest request) {
    scrape().onSuccess(text -> end(request, 200, METRICS, text)).onFailure(failure -> {
      Log.warn("cannot collect metrics", failure);
      end(request, 500, error("cannot collect metrics; the log has the cause"));
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
            "another region uses the same name, so each hides the other's counts; give each region its own name");
      }
      writeRegion(generator, metrics.limiterStats());
      writeRules(generator, health.rules());
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

  /** Writes the nodes of the region, if it has an origin, and which node reads for it. */
  private void writeRegion(JsonGenerator generator, LimiterStats stats) throws IOException {
    if (stats.liveNodes() > 0) {
      generator.writeNumberField("liveNodes", stats.liveNodes());
    }
    if (health.hasGlobalCounters()) {
      generator.writeStringField("reader", stats.reader().orElse(null));
      generator.writeBooleanField("reading", stats.reading());
    }
  }

  /** Writes the rules in use, if the node has rule files, and the errors of newer files. */
  private static void writeRules(JsonGenerator generator, RuleHealth rules) throws IOException {
    RuleHealth.Loaded loaded = rules.loaded();
    RuleHealth.Rejected rejected = rules.rejected();
    if (loaded == null) {
      return;
    }
    generator.writeObjectFieldStart("rules");
    generator.writeStringField("status", rejected == null ? "ok" : "degraded");
    generator.writeNumberField("domains", loaded.domains());
    generator.writeNumberField("rules", loaded.rules());
    if (rejected != null) {
      generator.writeNumberField("degradedForSeconds", rules.rejectedSeconds());
      generator.writeNumberField("errorCount", rejected.count());
      generator.writeArrayFieldStart("errors");
      for (String error : rejected.first()) {
        generator.writeString(error);
      }
      generator.writeEndArray();
    }
    generator.writeEndObject();
  }

  private Buffer error(String message) {
    return write(generator -> generator.writeStringField("error", message));
  }

  private Buffer write(MembersWriter members) {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = json.createGenerator(text)) {
      generator.writeStartObject();
      members.write(generator);
      generator.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not fail
    }
    return Buffer.buffer(text.append('\n').toString());
  }

  private static Future<Void> end(HttpServerRequest request, int status, Buffer body) {
    return end(request, status, JSON, body);
  }

  private static Future<Void> end(HttpServerRequest request, int status, String type, Buffer body) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      return Future.succeededFuture(); // the client has closed the connection
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

  /** Writes the members of a JSON object. */
  private interface MembersWriter {
    void write(JsonGenerator generator) throws IOException;
  }
}
