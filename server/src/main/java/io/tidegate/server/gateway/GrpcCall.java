package io.tidegate.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.log.RequestLog;
import io.tidegate.server.observe.GatewayMetrics;
import io.vertx.core.http.HttpHeaders;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One gRPC call and its answer. Belongs to the event loop of its exchange, like that. */
final class GrpcCall {

  /** Where no timeout is given: longer than the limiter waits for the origin by itself. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  /**
   * What is left of the caller's timeout for all but the wait: up to 10 ms because the limiter ends
   * waits at its next tick, and some for the network. Envoy's default of 20 ms leaves 5 ms to wait.
   */
  private static final long RESERVED_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

  /** A bound on the timeout, so that no arithmetic overflows. */
  private static final long MAX_TIMEOUT_DIGITS = 8;

  private static final CharSequence APPLICATION_GRPC =
      HttpHeaders.createOptimized("application/grpc");
  private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
  private static final CharSequence MESSAGE = HttpHeaders.createOptimized("grpc-message");
  private static final CharSequence TIMEOUT = HttpHeaders.createOptimized("grpc-timeout");

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final HttpExchange exchange;
  private final GatewayMetrics metrics;

  GrpcCall(HttpExchange exchange, GatewayMetrics metrics) {
    this.exchange = exchange;
    this.metrics = metrics;
  }

  /** Whether a request is a gRPC call, over any version of HTTP. */
  static boolean isGrpc(HttpExchange exchange) {
    String type = exchange.header(HttpHeaders.CONTENT_TYPE);
    int length = APPLICATION_GRPC.length();
    if (type == null || !type.regionMatches(true, 0, APPLICATION_GRPC.toString(), 0, length)) {
      return false;
    }
    return type.length() == length || type.charAt(length) == '+' || type.charAt(length) == ';';
  }

  /** Runs a part of a call. An exception becomes the answer. */
  void run(Runnable part) {
    try {
      part.run();
    } catch (GrpcException e) {
      fail(e.status(), e.getMessage() == null ? "" : e.getMessage());
    } catch (RuntimeException e) {
      RequestLog.error(exchange.requestId(), exchange.path(), "call failed; answering INTERNAL", e);
      fail(
          GrpcStatus.INTERNAL,
          "internal error; the server's log has details under the id " + exchange.requestId());
    }
  }

  /** Continues a call that had to wait. May be called from any thread. */
  void resume(Runnable part) {
    exchange.resume(() -> run(part));
  }

  String requestId() {
    return exchange.requestId();
  }

  @Nullable
  String header(CharSequence name) {
    return exchange.header(name);
  }

  /** How long the call may wait and still be answered within the caller's timeout. */
  Duration maxWait() {
    return maxWait(exchange.header(TIMEOUT));
  }

  static Duration maxWait(@Nullable String timeout) {
    long nanos = timeout == null ? -1 : nanos(timeout);
    return nanos < 0
        ? LONGEST_WAIT
        : Duration.ofNanos(Math.min(LONGEST_WAIT.toNanos(), Math.max(0, nanos - RESERVED_NANOS)));
  }

  /** Parses a timeout such as {@code 20m}, of 20 milliseconds; -1 if it is malformed. */
  static long nanos(String timeout) {
    int digits = timeout.length() - 1;
    if (digits < 1 || digits > MAX_TIMEOUT_DIGITS) {
      return -1;
    }
    long amount = 0;
    for (int i = 0; i < digits; i++) {
      char digit = timeout.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      amount = 10 * amount + (digit - '0');
    }
    return switch (timeout.charAt(digits)) {
      case 'H' -> TimeUnit.HOURS.toNanos(amount); // at most Long.MAX_VALUE
      case 'M' -> TimeUnit.MINUTES.toNanos(amount);
      case 'S' -> TimeUnit.SECONDS.toNanos(amount);
      case 'm' -> TimeUnit.MILLISECONDS.toNanos(amount);
      case 'u' -> TimeUnit.MICROSECONDS.toNanos(amount);
      case 'n' -> amount;
      default -> -1;
    };
  }

  /** Answers with a message. */
  void answer(ProtobufWriter message) {
    exchange.succeed(APPLICATION_GRPC, message.toBuffer(), STATUS, GrpcStatus.OK.code());
  }

  /** Answers with an error. */
  void fail(GrpcStatus status, String message) {
    metrics.failed(status.name());
    exchange.addHeader(STATUS, status.code());
    exchange.addHeader(MESSAGE, percentEncoded(message));
    exchange.succeedWithoutContent(APPLICATION_GRPC);
  }

  /** Encodes a message for the header, which has printable ASCII characters only. */
  static String percentEncoded(String message) {
    StringBuilder encoded = new StringBuilder(message.length());
    for (byte b : message.getBytes(UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        encoded.append((char) b);
      } else {
        encoded.append('%').append(HEX[(b >> 4) & 0xf]).append(HEX[b & 0xf]);
      }
    }
    return encoded.toString();
  }
}
