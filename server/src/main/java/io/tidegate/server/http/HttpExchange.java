package io.tidegate.server.http;

import io.tidegate.server.log.Log;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.RequestLog;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. Belongs to one event loop: only {@link #resume} may be called from
 * another thread.
 */
public abstract class HttpExchange {

  static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence PROBLEM_JSON =
      HttpHeaders.createOptimized("application/problem+json");

  private static final byte[] NOTHING = {};

  /** Recorded for a request whose client disconnected before its answer; never sent. */
  private static final int CLIENT_CLOSED_REQUEST = 499;

  private final EventLoop loop;
  private final ClientConnection connection;
  private final Endpoint endpoint;
  private final String id = Ids.request();
  private final long beganNanos;

  private boolean answered;

  /** Whether the connection ends with this answer, because the rest of the body may never come. */
  private boolean lastOnConnection;

  HttpExchange(EventLoop loop, ClientConnection connection, Endpoint endpoint, long nowNanos) {
    this.loop = loop;
    this.connection = connection;
    this.endpoint = endpoint;
    this.beganNanos = nowNanos;
    connection.began(this);
  }

  /** Calls the endpoint's handler. */
  final void handle(byte[] body) {
    run(() -> endpoint.handler().handle(this, body));
  }

  /** Runs a part of the handler. An exception becomes an answer. */
  private void run(Runnable handling) {
    try {
      handling.run();
    } catch (ProblemException e) {
      fail(e.problem());
    } catch (RuntimeException e) {
      RequestLog.error(id, path(), "request failed; answering 500", e);
      if (!answered) {
        answer(Problem.unexpected());
      }
    }
  }

  /**
   * Continues the handler on the event loop. May be called from any thread. Drops the task if the
   * request has been answered meanwhile, for example because it timed out.
   */
  public final void resume(Runnable handling) {
    loop.onEventLoop(() -> {
      if (!answered) {
        run(handling);
      }
    });
  }

  /** Ends a request whose client has disconnected. */
  final void abandon() {
    if (!answered) {
      answered = true;
      loop.metrics().cutOff(CutOff.CLIENT_CLOSED);
      end(CLIENT_CLOSED_REQUEST);
    }
  }

  final boolean isOverdue(long nowNanos) {
    return nowNanos - beganNanos > loop.limits().requestTimeout().toNanos();
  }

  /** Ends a request that has exceeded the request timeout. */
  final void timeOut() {
    loop.metrics().cutOff(CutOff.SLOW_BODY);
    endConnection();
    fail(Problem.timeout());
  }

  // For handlers: the request

  /** The id of the request, which its answer and its log lines contain. */
  public final String requestId() {
    return id;
  }

  /** The path of the endpoint. */
  public final String path() {
    return endpoint.path();
  }

  /** A header of the request, or null. */
  public abstract @Nullable String header(CharSequence name);

  /** All values of a header of the request, in order; empty if it does not have the header. */
  public abstract List<String> headers(String name);

  /**
   * A value that follows from the headers of the request alone. It may be one that the same
   * function returned for an earlier request of the connection with the same headers.
   */
  public abstract <T> T fromHeaders(Function<HttpExchange, T> reader);

  /** The query of the request, encoded; null if there is none. */
  public abstract @Nullable String query();

  /** Whether the request came over HTTP/2. */
  public abstract boolean isHttp2();

  /** The numeric address of the client's end of the connection. */
  public final String peerAddress() {
    return connection.peerAddress();
  }

  // For handlers: the answer, of which each exchange has one

  /** Adds a header to the answer. */
  public abstract void addHeader(CharSequence name, CharSequence value);

  /** Answers 200 with {@code data}. */
  public final void succeed(JsonContent data) {
    answer(200, APPLICATION_JSON, Envelope.data(loop.json(), id, data));
  }

  /** Answers 200 with content that has no envelope. */
  public final void succeed(String contentType, byte[] content) {
    respond(200, contentType, content);
  }

  /** Answers with any status, and with content that has no envelope. */
  public final void respond(int status, String contentType, byte[] content) {
    answer(status, contentType, content, content.length);
  }

  /** Answers 200 with headers only. */
  public final void succeedWithoutContent(CharSequence contentType) {
    answer(200, contentType, NOTHING, 0);
  }

  /** Answers 200 with content that a trailer follows. Needs HTTP/2. */
  public abstract void succeed(
      CharSequence contentType, Buffer content, CharSequence trailer, CharSequence value);

  /** Answers with a problem. Logs a warning if operators should know about it. */
  public final void fail(Problem problem) {
    if (problem.isForOperators()) {
      RequestLog.warn(
          id, path(), "request refused", "status", problem.status(), "detail", problem.detail());
    } else if (Log.shows(LogLevel.DEBUG)) {
      Log.debug(
          "request refused",
          "requestId",
          id,
          "path",
          path(),
          "status",
          problem.status(),
          "detail",
          problem.detail());
    }
    answer(problem);
  }

  /** Answers with a problem of the server, and logs its cause. */
  public final void fail(Problem problem, Throwable cause) {
    RequestLog.warn(
        id,
        path(),
        "request failed",
        "status",
        problem.status(),
        "detail",
        problem.detail(),
        "reason",
        RootCause.message(cause));
    answer(problem);
  }

  private void answer(Problem problem) {
    CharSequence contentType =
        problem.isAlwaysJson() || !acceptsProblemJson() ? APPLICATION_JSON : PROBLEM_JSON;
    answer(problem.status(), contentType, Envelope.error(loop.json(), id, problem));
  }

  private boolean acceptsProblemJson() {
    String accept = header(HttpHeaders.ACCEPT);
    return accept != null
        && (accept.contains("application/problem+json")
            || accept.contains("application/*")
            || accept.contains("*/*"));
  }

  private void answer(int status, CharSequence contentType, JsonWriter json) {
    answer(status, contentType, json.bytes(), json.length());
  }

  private void answer(int status, CharSequence contentType, byte[] content, int length) {
    beginAnswer();
    try {
      send(status, contentType, content, length);
    } finally {
      end(status);
    }
  }

  final void beginAnswer() {
    if (answered) {
      throw new IllegalStateException("request " + id + " has been answered already");
    }
    answered = true;
  }

  /** Sends the answer. The content may be overwritten when this returns. */
  abstract void send(int status, CharSequence contentType, byte[] content, int length);

  /** Records the end of the exchange. */
  final void end(int status) {
    long now = System.nanoTime();
    endpoint.meter().answered(status, now - beganNanos);
    connection.ended(this, now);
    ended();
  }

  /** Called when the exchange has ended, with or without an answer. */
  abstract void ended();

  // For subclasses

  final EventLoop loop() {
    return loop;
  }

  final ClientConnection connection() {
    return connection;
  }

  final boolean isAnswered() {
    return answered;
  }

  /** Makes the connection end with this answer. */
  final void endConnection() {
    lastOnConnection = true;
  }

  final boolean endsConnection() {
    return lastOnConnection;
  }
}
