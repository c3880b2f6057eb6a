package io.tidegate.server.activity;

/**
 * A denied request.
 *
 * @param retryAfterMillis when the same request would be allowed, or {@code Decision.NEVER}
 */
public record Denial(
    long timeMillis,
    String workspace,
    String namespace,
    String identifier,
    long limit,
    long windowMillis,
    long retryAfterMillis,
    boolean degraded) {}
