package io.tidegate.simulator.chaos;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What did not hold that is guaranteed, of which the first counts. It is kept until an event is
 * over: thrown where it is found, it might be taken for a failure that a limiter survives.
 */
final class Violations {

  private @Nullable GuaranteeViolation first;

  void require(boolean holds, String guarantee, String what, Object... values) {
    if (!holds && first == null) {
      first = new GuaranteeViolation(guarantee, String.format(Locale.ROOT, what, values));
    }
  }

  /** Throws what did not hold, if there is something. */
  void throwFirst() {
    if (first != null) {
      throw first;
    }
  }
}
