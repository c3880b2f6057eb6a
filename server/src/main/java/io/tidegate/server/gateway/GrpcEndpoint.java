package io.tidegate.server.gateway;

import io.tidegate.server.http.Endpoint;
import io.tidegate.server.http.HttpExchange;
import io.tidegate.server.http.Problem;
import io.tidegate.server.observe.GatewayMetrics;

/** Reads the calls of a gRPC method that has one message as its argument and one as its result. */
final class GrpcEndpoint implements Endpoint.Handler {

  /** A gRPC method. */
  interface Method {

    /**
     * Answers a call, at once or later. An exception becomes the answer too.
     *
     * @param call the call
     * @param message the argument
     */
    void call(GrpcCall call, ProtobufReader message);
  }

  private final Method method;
  private final GatewayMetrics metrics;

  GrpcEndpoint(Method method, GatewayMetrics metrics) {
    this.method = method;
    this.metrics = metrics;
  }

  @Override
  public void handle(HttpExchange exchange, byte[] body) {
    if (!GrpcCall.isGrpc(exchange)) {
      exchange.fail(Problem.unsupportedMediaType("This route accepts application/grpc only."));
    } else if (!exchange.isHttp2()) {
      exchange.fail(Problem.unsupportedMediaType("gRPC needs HTTP/2."));
    } else {
      GrpcCall call = new GrpcCall(exchange, metrics);
      call.run(() -> method.call(call, message(exchange, body)));
    }
  }

  /** The message after its prefix: a byte of flags and four bytes of length. */
  private static ProtobufReader message(HttpExchange exchange, byte[] body) {
    if (body.length < ProtobufWriter.PREFIX_BYTES) {
      throw new GrpcException(GrpcStatus.INTERNAL, "the call has no message");
    }
    if (body[0] != 0) {
      exchange.addHeader("grpc-accept-encoding", "identity");
      throw new GrpcException(
          GrpcStatus.UNIMPLEMENTED, "compressed messages are not supported; use identity");
    }
    int length =
        (body[1] & 0xff) << 24 | (body[2] & 0xff) << 16 | (body[3] & 0xff) << 8 | (body[4] & 0xff);
    if (length != body.length - ProtobufWriter.PREFIX_BYTES) {
      throw new GrpcException(
          GrpcStatus.INTERNAL, "the call must have one message, of the length in its prefix");
    }
    return new ProtobufReader(body, ProtobufWriter.PREFIX_BYTES, body.length);
  }
}
