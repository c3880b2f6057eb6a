package io.tidegate.server.service;

import io.tidegate.SeriesInspection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an identifier.
 *
 * @param workspace the id of the workspace
 * @param namespace the name of the namespace
 * @param identifier the identifier
 * @param override the override that applies to the identifier; null if none does
 * @param windows its counts by window, the shortest first; empty if no window is known
 */
public record IdentifierInspection(
    String workspace,
    String namespace,
    String identifier,
    @Nullable OverrideDetails override,
    List<Window> windows) {

  /**
   * The counts of one window.
   *
   * @param limit the limit to compare with; null if none is known
   * @param source where the limit comes from; null if none is known
   * @param series the counts
   */
  public record Window(
      @Nullable Long limit, @Nullable LimitSource source, SeriesInspection series) {}

  /** Where a limit comes from, in order of precedence. */
  public enum LimitSource {
    /** An override of the identifier. */
    OVERRIDE,
    /** The question itself. */
    REQUEST,
    /** A rule. */
    RULE,
    /** A recent request of the identifier, or of all identifiers with this window. */
    RECENT
  }

  /** Copies the list. */
  public IdentifierInspection {
    windows = List.copyOf(windows);
  }
}
