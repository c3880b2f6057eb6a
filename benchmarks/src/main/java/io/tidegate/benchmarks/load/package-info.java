/**
 * What the benchmarks share to produce load: identifiers, quotas, pauses, threads and CPU times.
 */
@NullMarked
package io.tidegate.benchmarks.load;

import org.jspecify.annotations.NullMarked;
