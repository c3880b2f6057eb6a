package io.tidegate.server.http;

import io.tidegate.server.log.Log;
import io.tidegate.server.log.LogLevel;
import io.tidegate.server.log.RequestLog;
import io.tidegate.server.log.RootCause;
import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, from the first header to the last byte. Belongs to one event loop:
 * only {@link #resume} may be called from another thread.
 */
public final class HttpExchange {

  private static final CharSequence APPLICATION_JSON =
      HttpHeaders.createOptimized("application/json");
  private static final CharSequence PROBLEM_JSON =
      HttpHeaders.createOptimized("application/problem+json");

  private static final Buffer NOTHING = Buffer.buffer(0);

  /**
   * How much of a body is read and discarded after its answer. Many clients read the answer only
   * after they have sent the whole body, and would otherwise see a closed connection instead.
   */
  private static final long MAX_DISCARDED_BYTES = 16L << 20;

  /** HTTP/2 error code: the stream ends, and nothing is wrong. */
  private static final long NO_ERROR = 0;

  /** Recorded for a request whose client disconnected before its answer; never sent. */
  private static final int CLIENT_CLOSED_REQUEST = 499;

  private final EventLoop loop;
  private final ClientConnection connection;
  private final HttpServerRequest request;
  private final Endpoint endpoint;
  private final String id = Ids.request();
  private final long beganNanos;

  private final IncomingBody body;
  private long discardedBytes;
  private boolean answered;

  /** Whether the connection ends with this answer, because the rest of the body may never come. */
  private boolean lastOnConnection;

  HttpExchange(
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

  // Receiving the request

  /** Reads the body, then calls the endpoint's handler. */
  void receive() {
    connection.began(this);
    request.exceptionHandler(broken -> abandon());
    boolean expectsContinue = request.headers().contains(HttpHeaders.EXPECT);
    if (body.isTooLong(declaredLength())) {
      request.handler(this::receive);
      // The client may skip the body and send its next request, which would be read as the body.
      lastOnConnection = expectsContinue;
      fail(body.tooLong());
      return;
    }
    if (expectsContinue) {
      request.response().writeContinue();
    }
    request.handler(this::receive);
    request.endHandler(end -> received());
  }

  private long declaredLength() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length == null ? 0 : Long.parseLong(length); // the decoder rejects anything else
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

  private void discard(int bytes) {
    discardedBytes += bytes;
    if (discardedBytes > MAX_DISCARDED_BYTES) {
      loop.metrics().cutOff(CutOff.SLOW_BODY);
      stopReading();
    }
  }

  /** Reads no more of a request that has been answered. */
  private void stopReading() {
    if (ownsConnection()) {
      connection.close();
    } else {
      request.response().reset(NO_ERROR);
    }
  }

  /** Whether no other request can be in progress on the same connection. */
  private boolean ownsConnection() {
    return !isHttp2();
  }

  private void received() {
    if (!answered) {
      run(() -> endpoint.handler().handle(this, body.whole()));
    }
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
  public void resume(Runnable handling) {
    loop.onEventLoop(() -> {
      if (!answered) {
        run(handling);
      }
    });
  }

  /** Ends a request whose client has disconnected. */
  void abandon() {
    if (!answered) {
      answered = true;
      loop.metrics().cutOff(CutOff.CLIENT_CLOSED);
      end(CLIENT_CLOSED_REQUEST);
    }
  }

  boolean isOverdue(long nowNanos) {
    return nowNanos - beganNanos > loop.limits().requestTimeout().toNanos();
  }

  /** Ends a request that has exceeded the request timeout. */
  void timeOut() {
    loop.metrics().cutOff(CutOff.SLOW_BODY);
    lastOnConnection = true;
    fail(Problem.timeout());
  }

  // For handlers: the request

  /** The id of the request, which its answer and its log lines contain. */
  public String requestId() {
    return id;
  }

  /** The path of the endpoint. */
  public String path() {
    return endpoint.path();
  }

  /** A header of the request, or null. */
  public @Nullable String header(CharSequence name) {
    return request.getHeader(name);
  }

  /** All values of a header of the request, in order; empty if it does not have the header. */
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  /** The query of the request, encoded; null if there is none. */
  public @Nullable String query() {
    return request.query();
  }

  /** The numeric address of the client's end of the connection. */
  public String peerAddress() {
    return request.remoteAddress().hostAddress();
  }

  /** Whether the request came over HTTP/2. */
  public boolean isHttp2() {
    return request.version() == HttpVersion.HTTP_2;
  }

  // For handlers: the answer, of which each exchange has one

  /** Adds a header to the answer. */
  public void addHeader(CharSequence name, CharSequence value) {
    request.response().putHeader(name, value);
  }

  /** Answers 200 with {@code data}. */
  public void succeed(JsonContent data) {
    answer(200, APPLICATION_JSON, Envelope.data(id, data));
  }

  /** Answers 200 with content that has no envelope. */
  public void succeed(String contentType, byte[] content) {
    answer(200, contentType, Buffer.buffer(content));
  }

  /** Answers with any status, and with content that has no envelope. */
  public void respond(int status, String contentType, byte[] content) {
    answer(status, contentType, Buffer.buffer(content));
  }

  /** Answers 200 with content that a trailer follows. Needs HTTP/2. */
  public void succeed(
      CharSequence contentType, Buffer content, CharSequence trailer, CharSequence value) {
    request.response().putTrailer(trailer, value);
    answer(200, contentType, content);
  }

  /** Answers 200 with headers only. */
  public void succeedWithoutContent(CharSequence contentType) {
    answer(200, contentType, NOTHING);
  }

  /** Answers with a problem. Logs a warning if operators should know about it. */
  public void fail(Problem problem) {
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
  public void fail(Problem problem, Throwable cause) {
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
    answer(problem.status(), contentType, Envelope.error(id, problem));
  }

  private boolean acceptsProblemJson() {
    String accept = request.getHeader(HttpHeaders.ACCEPT);
    return accept != null
        && (accept.contains("application/problem+json")
            || accept.contains("application/*")
            || accept.contains("*/*"));
  }

  private void answer(int status, CharSequence contentType, Buffer content) {
    if (answered) {
      throw new IllegalStateException("request " + id + " has been answered already");
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
    if ((lastOnConnection || loop.isStopping()) && ownsConnection()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    boolean congested = response.writeQueueFull(); // must not be called after end()
    Future<Void> written = content.length() == 0 ? response.end() : response.end(content);
    if (lastOnConnection) {
      written.onComplete(done -> stopReading());
    } else if (congested) {
      loop.unsent(connection, content.length(), written);
    }
    if (loop.isStopping() && !ownsConnection()) {
      written.onComplete(done -> connection.announceClose());
    }
  }

  private void end(int status) {
    long now = System.nanoTime();
    body.release();
    endpoint.meter().answered(status, now - beganNanos);
    connection.ended(this, now);
  }
}
