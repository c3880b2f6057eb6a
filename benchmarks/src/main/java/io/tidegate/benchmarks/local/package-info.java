/**
 * Decisions in the memory of one process: Tidegate next to bucket4j, resilience4j, Guava's limiter
 * and a fixed window in a Caffeine cache.
 *
 * <p>Every figure comes from a JVM of its own, started by JMH, because the JIT compiler would
 * otherwise optimize one competitor by what it learned from another.
 */
@NullMarked
package io.tidegate.benchmarks.local;

import org.jspecify.annotations.NullMarked;
