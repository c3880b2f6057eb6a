package io.tidegate.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the memory of a node holds of a series, rotated to the time of the inspection.
 *
 * <pre>{@code
 * inspection.memory().ifPresent(memory -> log.info("own count {}", memory.current().own()));
 * }</pre>
 *
 * @param current the counts of the current cell
 * @param previous the counts of the previous cell
 * @param strictUntilMillis the end of strict mode, in milliseconds since 1970; empty if the series
 *     is not strict
 * @param answerAge time since the call to which the origin last answered about one of these cells;
 *     empty if it has not, or if there is none
 * @param unsure why the counts do not suffice for the next admission, so that the origin is read,
 *     before the decision or beside it; empty if they do, and without an origin
 */
public record SeriesMemory(
    CellCounts current,
    CellCounts previous,
    OptionalLong strictUntilMillis,
    Optional<Duration> answerAge,
    Set<Unsure> unsure) {

  /** Why a series cannot be decided from memory. */
  public enum Unsure {
    /** The origin has not answered about the current cell. */
    COLD,
    /** The last answer of the origin is too old. */
    STALE,
    /** A request was denied within the last window. */
    STRICT,
    /**
     * A request of cost 1 would exceed what this node may admit before the origin confirms it,
     * under the lowest limit of the requests that it has admitted lately.
     */
    SHARE_SPENT
  }

  /** Copies the reasons. */
  public SeriesMemory {
    Objects.requireNonNull(current, "current must not be null");
    Objects.requireNonNull(previous, "previous must not be null");
    Objects.requireNonNull(strictUntilMillis, "strictUntilMillis must not be null");
    Objects.requireNonNull(answerAge, "answerAge must not be null");
    unsure = Set.copyOf(unsure);
  }
}
