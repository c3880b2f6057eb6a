package io.tidegate.spi;

import java.util.Objects;
import java.util.Optional;

/**
 * The nodes of a region that are alive, by their registrations in the origin.
 *
 * <p>{@code new LiveNodes(3, Optional.of("9f2c1k"), false)}
 *
 * @param count number of nodes, at least 0
 * @param reader the node that reads the global counters for the region, after the registration;
 *     empty if none does
 * @param newReader whether the node became the reader by this registration, be it again because its
 *     lease had ended or was lost; false if it was the reader already
 */
public record LiveNodes(int count, Optional<String> reader, boolean newReader) {

  /** Rejects values out of range. */
  public LiveNodes {
    Objects.requireNonNull(reader, "reader must not be null");
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
  }
}
