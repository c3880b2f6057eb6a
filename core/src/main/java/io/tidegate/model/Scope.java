package io.tidegate.model;

import java.time.Duration;
import java.util.Comparator;

/**
 * Workspace, namespace and window of a limit. An identifier within a scope is a series.
 *
 * <pre>{@code
 * Scope logins = Scope.of("acme", "login", Duration.ofMinutes(1));
 * }</pre>
 *
 * @param workspace the tenant
 * @param namespace the topic of the limit within the workspace
 * @param windowMillis length of the window, one second to 366 days
 */
public record Scope(String workspace, String namespace, long windowMillis)
    implements Comparable<Scope> {

  private static final Comparator<Scope> ORDER = Comparator.comparing(Scope::workspace)
      .thenComparing(Scope::namespace)
      .thenComparingLong(Scope::windowMillis);

  /** Rejects values outside {@link Bounds}. */
  public Scope {
    Bounds.checkName("workspace", workspace);
    Bounds.checkName("namespace", namespace);
    Bounds.checkWindow(windowMillis);
  }

  /**
   * Creates a scope: {@code Scope.of("acme", "login", Duration.ofMinutes(1))}.
   *
   * @param workspace the tenant
   * @param namespace the topic of the limit within the workspace
   * @param window length of the window, in whole milliseconds
   * @return the scope
   */
  public static Scope of(String workspace, String namespace, Duration window) {
    return new Scope(workspace, namespace, Bounds.checkWindow(window));
  }

  /** Orders by workspace, namespace and window. */
  @Override
  public int compareTo(Scope other) {
    return this == other ? 0 : ORDER.compare(this, other);
  }
}
