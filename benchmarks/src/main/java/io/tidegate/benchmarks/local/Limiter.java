package io.tidegate.benchmarks.local;

import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * A rate limiter under test. A fork creates one only, so that the compiler can inline its calls.
 *
 * @param meet stores an identifier and takes a token, before anything is measured
 * @param allow requests one token for the arrival at a position
 */
record Limiter(Consumer<String> meet, IntPredicate allow) {

  /** A limiter that needs the identifier only. */
  static Limiter of(String[] arrivals, Predicate<String> allow) {
    Consumer<String> meet = identifier -> {
      boolean unused = allow.test(identifier);
    };
    return new Limiter(meet, position -> allow.test(arrivals[position]));
  }
}
