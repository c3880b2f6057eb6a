package io.tidegate.server.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the overrides of a namespace, in ascending order of their ids.
 *
 * @param overrides the overrides
 * @param nextCursor the cursor of the next page; null on the last one
 */
public record OverridePage(
    List<OverrideDetails> overrides, @Nullable String nextCursor) {

  public OverridePage {
    overrides = List.copyOf(overrides);
  }
}
