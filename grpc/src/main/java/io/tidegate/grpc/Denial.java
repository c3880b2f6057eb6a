package io.tidegate.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.tidegate.model.Decision;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.web.WebDecision;
import java.util.Locale;
import java.util.Map;

/**
 * The answer to a call that is denied.
 *
 * @param trailers when to retry: {@code google.rpc.RetryInfo} in {@code grpc-status-details-bin},
 *     {@code grpc-retry-pushback-ms} for the retry policy of the client, and the headers of the
 *     decision, among them {@code retry-after}
 */
record Denial(Status status, Metadata trailers) {

  private static final int FORBIDDEN = 403;

  /** The retry policy of a client does not retry if this is negative, and waits so long else. */
  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  static Denial of(WebDecision decision) {
    return decision.status() == FORBIDDEN
        ? new Denial(
            Status.PERMISSION_DENIED.withDescription(
                "the call has no key, which its rate limit requires"),
            new Metadata())
        : exhausted(decision);
  }

  void answer(ServerCall<?, ?> call) {
    call.close(status, trailers);
  }

  private static Denial exhausted(WebDecision decision) {
    PolicyDecision binding = decision.binding().orElseThrow();
    long retryMillis = binding.decision().retryAfterMillis();
    boolean never = retryMillis == Decision.NEVER;
    String message = "rate limit \"" + binding.policy() + "\" exceeded; "
        + (never ? "this call is never allowed" : "retry in " + retryMillis + " ms");
    Metadata trailers = new Metadata();
    putHeaders(decision.headers(), trailers);
    trailers.put(PUSHBACK, retryMillis > Integer.MAX_VALUE ? "-1" : Long.toString(retryMillis));
    if (!never) {
      trailers.put(
          DETAILS,
          StatusDetails.withRetryInfo(
              Status.Code.RESOURCE_EXHAUSTED.value(), message, retryMillis));
    }
    return new Denial(Status.RESOURCE_EXHAUSTED.withDescription(message), trailers);
  }

  /** Adds the headers of a decision to metadata. */
  static void putHeaders(Map<String, String> headers, Metadata metadata) {
    headers.forEach((name, value) -> metadata.put(
        Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER), value));
  }
}
