package io.tidegate.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The secret that calls of gateways must carry, if one is configured. */
final class GatewaySecret {

  private static final String BEARER = "Bearer ";

  /** Null if no secret is needed. */
  private final byte @Nullable [] secret;

  GatewaySecret(@Nullable String secret) {
    this.secret = secret == null ? null : secret.getBytes(UTF_8);
  }

  boolean isRequired() {
    return secret != null;
  }

  /** Whether a call with this secret is accepted. Takes the same time for all wrong ones. */
  boolean accepts(@Nullable String given) {
    return secret == null
        || (given != null && MessageDigest.isEqual(given.getBytes(UTF_8), secret));
  }

  /** As {@link #accepts}, for the value of an Authorization header. */
  boolean acceptsBearer(@Nullable String authorization) {
    return secret == null
        || (authorization != null
            && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
            && accepts(authorization.substring(BEARER.length())));
  }
}
