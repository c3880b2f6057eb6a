package io.tidegate.model;

import java.util.Objects;

/**
 * What is counted together: an identifier within a scope.
 *
 * <pre>{@code
 * Series logins = new Series(Scope.of("acme", "login", Duration.ofMinutes(1)), "user_42");
 * }</pre>
 *
 * @param scope workspace, namespace and window
 * @param identifier who or what is being limited
 */
public record Series(Scope scope, String identifier) {

  /** Refuses values outside {@link Bounds}. */
  public Series {
    Objects.requireNonNull(scope, "scope must not be null");
    Bounds.checkName("identifier", identifier);
  }
}
