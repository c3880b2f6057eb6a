package io.tidegate.model;

import java.util.Objects;

/**
 * An identifier within a scope. Requests for the same series share one count.
 *
 * <pre>{@code
 * Series logins = new Series(Scope.of("acme", "login", Duration.ofMinutes(1)), "user_42");
 * }</pre>
 *
 * @param scope workspace, namespace and window
 * @param identifier the user, key or address that is limited
 */
public record Series(Scope scope, String identifier) {

  /** Rejects values outside {@link Bounds}. */
  public Series {
    Objects.requireNonNull(scope, "scope must not be null");
    Bounds.checkName("identifier", identifier);
  }
}
