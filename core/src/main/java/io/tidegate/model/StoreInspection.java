package io.tidegate.model;

import java.util.Objects;
import java.util.Optional;

/**
 * The answer of a store about both cells of a series, or the reason why there is none.
 *
 * <pre>{@code
 * inspection.origin().flatMap(StoreInspection::failure).ifPresent(log::warn);
 * }</pre>
 *
 * @param current the current cell; empty if the store failed
 * @param previous the previous cell; empty if the store failed
 * @param failure why the store did not answer, in a few words; empty if it did
 * @param <T> what the store holds of a cell
 */
public record StoreInspection<T>(
    Optional<T> current, Optional<T> previous, Optional<String> failure) {

  /** Rejects contradictory values. */
  public StoreInspection {
    Objects.requireNonNull(failure, "failure must not be null");
    if (current.isPresent() == failure.isPresent() || current.isPresent() != previous.isPresent()) {
      throw new IllegalArgumentException(
          "a store has answered about both cells, or failed: %s, %s, %s"
              .formatted(current, previous, failure));
    }
  }

  /**
   * An answer: {@code StoreInspection.answered(current, previous)}.
   *
   * @param current what the store holds of the current cell
   * @param previous what the store holds of the previous cell
   * @param <T> what the store holds of a cell
   * @return the inspection
   */
  public static <T> StoreInspection<T> answered(T current, T previous) {
    return new StoreInspection<>(Optional.of(current), Optional.of(previous), Optional.empty());
  }

  /**
   * A failure: {@code StoreInspection.failed("timeout")}.
   *
   * @param reason why the store did not answer
   * @param <T> what the store holds of a cell
   * @return the inspection
   */
  public static <T> StoreInspection<T> failed(String reason) {
    return new StoreInspection<>(Optional.empty(), Optional.empty(), Optional.of(reason));
  }
}
