package io.tidegate.server;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A client of gRPC methods over HTTP/2, which sends any bytes. */
final class GrpcClient implements AutoCloseable {

  static final String SHOULD_RATE_LIMIT =
      "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  static final String HEALTH = "/grpc.health.v1.Health/Check";

  /** Far longer than any answer takes. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final HttpClient client;
  private final int port;

  /** A client that speaks HTTP/2 without TLS from the first byte, as Envoy does. */
  GrpcClient(int port) {
    this(port, new HttpClientOptions().setHttp2ClearTextUpgrade(false));
  }

  GrpcClient(int port, HttpClientOptions options) {
    this.port = port;
    this.client = vertx.createHttpClient(
        options.setProtocolVersion(HttpVersion.HTTP_2).setHttp2MultiplexingLimit(-1));
  }

  /** An answer; trailers that came without a message are the headers. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(int httpStatus, MultiMap headers, byte[] body, MultiMap trailers) {

    boolean isTrailersOnly() {
      return headers.contains("grpc-status");
    }

    /** The status of gRPC. */
    int status() {
      String status = (isTrailersOnly() ? headers : trailers).get("grpc-status");
      if (status == null) {
        throw new AssertionError("no grpc-status in " + httpStatus + " " + headers + trailers);
      }
      return Integer.parseInt(status);
    }

    /** The message of an error. */
    String error() {
      return URLDecoder.decode(
          headers.get("grpc-message").replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The protobuf message after its prefix. */
    byte[] message() {
      int length = Buffer.buffer(body).getInt(1);
      if (status() != 0 || body[0] != 0 || length != body.length - 5) {
        throw new AssertionError("no message in " + Arrays.toString(body) + " " + this);
      }
      return Arrays.copyOfRange(body, 5, body.length);
    }
  }

  /** Calls a method with a message, and headers given as names and values. */
  Answer call(String path, Protobuf message, String... headers) {
    return post(path, frame(message.toBytes()), "application/grpc", headers);
  }

  /** Asks for a decision. */
  Answer ask(Protobuf request, String... headers) {
    return call(SHOULD_RATE_LIMIT, request, headers);
  }

  static byte[] frame(byte[] message) {
    return Buffer.buffer()
        .appendByte((byte) 0)
        .appendInt(message.length)
        .appendBytes(message)
        .getBytes();
  }

  Answer post(String path, byte[] body, @Nullable String contentType, String... headers) {
    return await(post(body, contentType, path, headers));
  }

  /** As {@link #post}, without waiting for the answer. */
  CompletableFuture<Answer> post(
      byte[] body, @Nullable String contentType, String path, String... headers) {
    return client
        .request(HttpMethod.POST, port, "127.0.0.1", path)
        .compose(request -> send(request, body, contentType, headers))
        .toCompletionStage()
        .toCompletableFuture();
  }

  private static Future<Answer> send(
      HttpClientRequest request, byte[] body, @Nullable String contentType, String... headers) {
    if (contentType != null) {
      request.putHeader("content-type", contentType);
    }
    request.putHeader("te", "trailers");
    for (int i = 0; i < headers.length; i += 2) {
      request.putHeader(headers[i], headers[i + 1]);
    }
    return request
        .send(Buffer.buffer(body))
        .compose(response -> response.body().map(content -> answer(response, content)));
  }

  private static Answer answer(HttpClientResponse response, Buffer content) {
    return new Answer(
        response.statusCode(), response.headers(), content.getBytes(), response.trailers());
  }

  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    await(vertx.close().toCompletionStage().toCompletableFuture());
  }
}
