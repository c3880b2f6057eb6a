/**
 * The server under more load than it can answer: an open loop from a tenth to twice its maximum.
 *
 * <p>The server runs in a process of its own. The load generator uses one thread of this process.
 */
@NullMarked
package io.tidegate.benchmarks.overload;

import org.jspecify.annotations.NullMarked;
