package io.tidegate.server.gateway;

/** Ends a gRPC call with a status and a message for the caller. */
final class GrpcException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final GrpcStatus status;

  /** Has no stack trace: clients cause it. */
  GrpcException(GrpcStatus status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** A message that is not valid protobuf. */
  static GrpcException malformed(String reason) {
    return new GrpcException(GrpcStatus.INTERNAL, "malformed message: " + reason);
  }

  GrpcStatus status() {
    return status;
  }
}
