package io.tidegate.server.gateway;

/** The status codes of gRPC that the server sends. */
enum GrpcStatus {
  OK(0),
  UNKNOWN(2),
  INVALID_ARGUMENT(3),
  NOT_FOUND(5),
  UNIMPLEMENTED(12),
  INTERNAL(13),
  UNAUTHENTICATED(16);

  private final String code;

  GrpcStatus(int code) {
    this.code = Integer.toString(code);
  }

  /** The number as it is sent. */
  String code() {
    return code;
  }
}
