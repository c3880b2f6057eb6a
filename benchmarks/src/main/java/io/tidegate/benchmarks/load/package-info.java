/**
 * What the benchmarks share: identifiers, quotas, threads and CPU times, and for servers a load
 * generator and the JVM of a server.
 */
@NullMarked
package io.tidegate.benchmarks.load;

import org.jspecify.annotations.NullMarked;
