/**
 * The overshoot of one limit that many regions use, by policy, traffic and load, and the rows that
 * the policies write.
 *
 * <p>Every combination is a trial with a world of its own, in virtual time and in one thread;
 * trials share no state and run in parallel. The requests of a trial are drawn before it begins, so
 * that all approaches receive the same ones.
 */
@NullMarked
package io.tidegate.simulator.overshoot;

import org.jspecify.annotations.NullMarked;
