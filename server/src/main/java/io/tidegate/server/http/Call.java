package io.tidegate.server.http;

import io.tidegate.server.log.Log;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, from the first header to the last byte. Lives on one event loop; only
 * {@link #resume} may be called from elsewhere.
 */
public final class Call {

  private static final CharSequence APPLICATION_JSON =
      HttpHeaders.createOptimized("application/json");
  private static final CharSequence PROBLEM_JSON =
      HttpHeaders.createOptimized("application/problem+json");

  /** How much more of a body that is too long is read and thrown away, so that its sender reads. */
  private static final long MOST_DISCARDED = 16L << 20;

  /** Says to an HTTP/2 client that its stream is over, and that nothing is wrong. */
  private static final long NO_ERROR = 0;

  /** Writes a part of an answer. */
  public interface Writing {

    /** Writes it. */
    void to(JsonWriter json);
  }

  private final EventLoop loop;
  private final ClientConnection connection;
  private final HttpServerRequest request;
  private final Endpoint endpoint;
  private final String id = Ids.request();
  private final long beganNanos;

  private final IncomingBody body;
  private long discarded;
  private boolean answered;
  private boolean leaving;

  Call(
      EventLoop loop,
      ClientConnection connection,
      HttpServerRequest request,
      Endpoint endpoint,
      long nowNanos) {
    this.loop = loop;
    this.connection = connection;
    this.request = request;
    this.endpoint = endpoint;
    this.beganNanos = nowNanos;
    this.body = loop.newBody();
  }

  /** Reads the body, and then has the request answered. */
  void receive() {
    connection.began(this);
    request.exceptionHandler(broken -> abandon());
    boolean asksFirst = request.headers().contains(HttpHeaders.EXPECT);
    if (body.isTooLong(declaredLength())) {
      request.handler(this::receive);
      leaving = asksFirst; // it need not send the body: what it sends next would be taken for it
      fail(body.tooLong());
      return;
    }
    if (asksFirst) {
      request.response().writeContinue();
    }
    request.handler(this::receive);
    request.endHandler(end -> received());
  }

  private long declaredLength() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length); // the decoder has refused what is no number
  }

  private void receive(Buffer chunk) {
    if (answered) {
      discard(chunk.length());
      return;
    }
    Problem refusal = body.add(chunk);
    if (refusal != null) {
      fail(refusal);
    }
  }

  /**
   * What comes after an answer is read for a while and thrown away, since many clients read nothing
   * before they have sent all.
   */
  private void discard(int bytes) {
    discarded += bytes;
    if (discarded > MOST_DISCARDED) {
      loop.metrics().cutOff(CutOff.SLOW_BODY);
      giveUp();
    }
  }

  /** Reads no more of a request whose answer was written. */
  private void giveUp() {
    if (isAlone()) {
      connection.close();
    } else {
      request.response().reset(NO_ERROR);
    }
  }

  /** Whether it has its connection for itself. */
  private boolean isAlone() {
    return request.version() != HttpVersion.HTTP_2;
  }

  private void received() {
    if (!answered) {
      run(() -> endpoint.handler().handle(this, body.whole()));
    }
  }

  /** What answers may throw becomes an answer. */
  private void run(Runnable answering) {
    try {
      answering.run();
    } catch (RuntimeException e) {
      RequestLog.error(this, "a request failed; it is answered with 500", e);
      if (!answered) {
        answer(Problem.unexpected());
      }
    }
  }

  /** Nobody waits for its answer any more. */
  void abandon() {
    if (!answered) {
      answered = true;
      loop.metrics().cutOff(CutOff.CLIENT_CLOSED);
      end(499); // nobody reads it, but it is counted
    }
  }

  /** Goes on with answering on the event loop, from any thread. */
  public void resume(Runnable answering) {
    loop.onEventLoop(() -> {
      if (!answered) {
        run(answering);
      }
    });
  }

  /** Whether it is taking longer than it may. */
  boolean isLate(long nowNanos) {
    return nowNanos - beganNanos > loop.limits().requestTimeout().toNanos();
  }

  /** Ends a request that takes longer than it may. */
  void timeOut() {
    loop.metrics().cutOff(CutOff.SLOW_BODY);
    leaving = true;
    fail(Problem.timeout());
  }

  /** The id of the request, which its answer has too. */
  public String requestId() {
    return id;
  }

  /**
   * Logs a warning that concerns this request, with its id and path. At most ten such lines are
   * written in a second.
   */
  public void warn(String message, @Nullable Object... fields) {
    RequestLog.warn(this, message, fields);
  }

  /** A header of the request, or null. */
  public @Nullable String header(CharSequence name) {
    return request.getHeader(name);
  }

  /** Adds a header to the answer. */
  public void addHeader(String name, String value) {
    request.response().putHeader(name, value);
  }

  /** The path that was asked for. */
  public String path() {
    return endpoint.path();
  }

  /** Answers with {@code data}, and perhaps more. */
  public void succeed(Writing data) {
    answer(200, APPLICATION_JSON, json -> {
      json.name("data");
      data.to(json);
    });
  }

  /** Answers with something that has no envelope. */
  public void succeed(String contentType, byte[] content) {
    answer(200, contentType, Buffer.buffer(content));
  }

  /** Answers with what is wrong. Logs it as a warning if it is not for the client to mend. */
  public void fail(Problem problem) {
    if (problem.isForOperators()) {
      warn("a request was refused", "status", problem.status(), "detail", problem.detail());
    } else {
      logRefusal(problem);
    }
    answer(problem);
  }

  /** Answers with what is wrong on our side, and logs why. */
  public void fail(Problem problem, Throwable cause) {
    warn(
        "a request failed",
        "status",
        problem.status(),
        "detail",
        problem.detail(),
        "reason",
        cause.getMessage() == null ? cause.toString() : cause.getMessage());
    answer(problem);
  }

  private void logRefusal(Problem problem) {
    if (Log.shows(LogLevel.DEBUG)) {
      Log.debug(
          "a request was refused",
          "requestId",
          id,
          "path",
          path(),
          "status",
          problem.status(),
          "detail",
          problem.detail());
    }
  }

  private void answer(Problem problem) {
    answer(problem.status(), contentType(problem), json -> {
      json.name("error").beginObject();
      json.field("title", problem.title());
      json.field("detail", problem.detail());
      json.field("status", problem.status());
      json.field("type", problem.type());
      if (problem.status() == 400) {
        writeErrors(json, problem);
      }
      json.endObject();
    });
  }

  private static void writeErrors(JsonWriter json, Problem problem) {
    json.name("errors").beginArray();
    for (Violation violation : problem.errors()) {
      json.beginObject();
      json.field("location", violation.location());
      json.field("message", violation.message());
      if (violation.fix() != null) {
        json.field("fix", violation.fix());
      }
      json.endObject();
    }
    json.endArray();
  }

  private CharSequence contentType(Problem problem) {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return !problem.isAboutSchema()
            && accept != null
            && (accept.contains("application/problem+json")
                || accept.contains("application/*")
                || accept.contains("*/*"))
        ? PROBLEM_JSON
        : APPLICATION_JSON;
  }

  private void answer(int status, CharSequence contentType, Writing content) {
    JsonWriter json = new JsonWriter();
    json.beginObject();
    json.name("meta").beginObject().field("requestId", id).endObject();
    content.to(json);
    json.endObject();
    answer(status, contentType, json.toBuffer());
  }

  private void answer(int status, CharSequence contentType, Buffer content) {
    if (answered) {
      throw new IllegalStateException("request " + id + " was answered before");
    }
    answered = true;
    try {
      send(status, contentType, content);
    } finally {
      end(status);
    }
  }

  private void send(int status, CharSequence contentType, Buffer content) {
    HttpServerResponse response = request.response().setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
    if ((leaving || loop.isStopping()) && isAlone()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    boolean congested = response.writeQueueFull(); // nobody may ask afterwards
    Future<Void> written = response.end(content);
    if (leaving) {
      written.onComplete(done -> giveUp()); // the rest of the body may never come
    } else if (congested) {
      loop.unsent(connection, content.length(), written);
    }
    if (loop.isStopping() && !isAlone()) {
      written.onComplete(done -> connection.announceClose());
    }
  }

  private void end(int status) {
    long now = System.nanoTime();
    body.release();
    endpoint.meters().answered(status, now - beganNanos);
    connection.ended(this, now);
  }
}
