/**
 * What the benchmarks share: identifiers, quotas, threads and CPU times, and for servers load
 * generators in a closed and an open loop, and the JVM of a server.
 */
@NullMarked
package io.tidegate.benchmarks.load;

import org.jspecify.annotations.NullMarked;
