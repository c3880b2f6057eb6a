/**
 * The command line of the simulator. Each package below has one command, except {@code world} and
 * {@code common}.
 */
@NullMarked
package io.tidegate.simulator;

import org.jspecify.annotations.NullMarked;
