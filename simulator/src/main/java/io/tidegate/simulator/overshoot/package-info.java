/**
 * How far a limit is exceeded that many regions use, by what the regions tell each other, and what
 * that takes.
 */
package io.tidegate.simulator.overshoot;
