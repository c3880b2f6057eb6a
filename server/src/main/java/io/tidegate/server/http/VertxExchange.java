package io.tidegate.server.http;

import io.tidegate.server.observe.HttpMetrics.CutOff;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An exchange through Vert.x, which reads requests of any form and any version of HTTP. */
final class VertxExchange extends HttpExchange {

  /**
   * How much of a body is read and discarded after its answer. Many clients read the answer only
   * after they have sent the whole body, and would otherwise see a closed connection instead.
   */
  private static final long MAX_DISCARDED_BYTES = 16L << 20;

  /** HTTP/2 error code: the stream ends, and nothing is wrong. */
  private static final long NO_ERROR = 0;

  private final HttpServerRequest request;
  private final IncomingBody body;
  private long discardedBytes;

  VertxExchange(
      EventLoop loop,
      ClientConnection connection,
      HttpServerRequest request,
      Endpoint endpoint,
      long nowNanos) {
    super(loop, connection, endpoint, nowNanos);
    this.request = request;
    this.body = loop.newBody();
  }

  /** Reads the body, then calls the endpoint's handler. */
  void receive() {
    request.exceptionHandler(broken -> abandon());
    boolean expectsContinue = request.headers().contains(HttpHeaders.EXPECT);
    if (body.isTooLong(declaredLength())) {
      request.handler(this::receive);
      if (expectsContinue) {
        // The client may skip the body and send its next request, which would be read as the body.
        endConnection();
      }
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
    if (isAnswered()) {
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
      loop().metrics().cutOff(CutOff.SLOW_BODY);
      stopReading();
    }
  }

  /** Reads no more of a request that has been answered. */
  private void stopReading() {
    if (ownsConnection()) {
      connection().close();
    } else {
      request.response().reset(NO_ERROR);
    }
  }

  /** Whether no other request can be in progress on the same connection. */
  private boolean ownsConnection() {
    return !isHttp2();
  }

  private void received() {
    if (!isAnswered()) {
      handle(body.whole());
    }
  }

  @Override
  public @Nullable String header(CharSequence name) {
    return request.getHeader(name);
  }

  @Override
  public List<String> headers(String name) {
    return request.headers().getAll(name);
  }

  @Override
  public <T> T fromHeaders(Function<HttpExchange, T> reader) {
    return reader.apply(this);
  }

  @Override
  public @Nullable String query() {
    return request.query();
  }

  @Override
  public boolean isHttp2() {
    return request.version() == HttpVersion.HTTP_2;
  }

  @Override
  public void addHeader(CharSequence name, CharSequence value) {
    request.response().putHeader(name, value);
  }

  @Override
  public void succeed(
      CharSequence contentType, Buffer content, CharSequence trailer, CharSequence value) {
    request.response().putTrailer(trailer, value);
    beginAnswer();
    try {
      send(200, contentType, content);
    } finally {
      end(200);
    }
  }

  @Override
  void send(int status, CharSequence contentType, byte[] content, int length) {
    send(status, contentType, Buffer.buffer(length).appendBytes(content, 0, length));
  }

  private void send(int status, CharSequence contentType, Buffer content) {
    HttpServerResponse response = request.response().setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, contentType);
    if ((endsConnection() || loop().isStopping()) && ownsConnection()) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    boolean congested = response.writeQueueFull(); // must not be called after end()
    Future<Void> written = content.length() == 0 ? response.end() : response.end(content);
    if (endsConnection()) {
      written.onComplete(done -> stopReading());
    } else if (congested) {
      loop().unsent(connection(), content.length(), written);
    }
    if (loop().isStopping() && !ownsConnection()) {
      written.onComplete(done -> connection().announceClose());
    }
  }

  @Override
  void ended() {
    body.release();
  }
}
