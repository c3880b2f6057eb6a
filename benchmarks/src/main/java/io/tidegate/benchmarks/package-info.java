/**
 * Benchmarks of Tidegate next to its alternatives, run by {@code ./tidegate bench}.
 *
 * <p>Each benchmark has a package: {@code local}, {@code regional}, {@code global}, {@code http},
 * {@code overload}, {@code soak}, {@code rls} and {@code web}. In each of them a command reads the
 * options and runs the measurements, {@code Settings} say what is measured and for how long, and
 * {@code Results} hold the figures of every round, judge them and describe the report. The packages
 * share {@code load} and nothing else.
 */
@NullMarked
package io.tidegate.benchmarks;

import org.jspecify.annotations.NullMarked;
