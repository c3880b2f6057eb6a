package io.tidegate.server.gateway;

import java.util.function.BooleanSupplier;

/**
 * The method {@code grpc.health.v1.Health/Check}, by which Envoy and Kubernetes probe a node. Needs
 * no secret: probes cannot send one, and the answer reveals nothing.
 */
final class GrpcHealth implements GrpcEndpoint.Method {

  static final String PATH = "/grpc.health.v1.Health/Check";

  /** The name of the service by envoyproxy/ratelimit; an empty one means the whole server. */
  private static final String SERVICE = "ratelimit";

  private static final int SERVICE_FIELD = 1 << 3 | ProtobufReader.LENGTH;
  private static final int STATUS_FIELD = 1;

  private static final int SERVING = 1;
  private static final int NOT_SERVING = 2;

  private final BooleanSupplier ready;

  /**
   * Creates the method.
   *
   * @param ready whether the node should receive requests
   */
  GrpcHealth(BooleanSupplier ready) {
    this.ready = ready;
  }

  @Override
  public void call(GrpcCall call, ProtobufReader message) {
    String service = service(message);
    if (!service.isEmpty() && !service.equals(SERVICE)) {
      throw new GrpcException(GrpcStatus.NOT_FOUND, "unknown service");
    }
    ProtobufWriter answer = new ProtobufWriter();
    answer.varint(STATUS_FIELD, ready.getAsBoolean() ? SERVING : NOT_SERVING);
    call.answer(answer);
  }

  private static String service(ProtobufReader message) {
    String service = "";
    while (message.next()) {
      if (message.tag() == SERVICE_FIELD) {
        service = message.string();
      } else {
        message.skip();
      }
    }
    return service;
  }
}
