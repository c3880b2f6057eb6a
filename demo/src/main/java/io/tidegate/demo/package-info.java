/**
 * {@code ./tidegate demo}: three regions of real servers on this machine, traffic, faults that
 * people inject, and a page that compares what was admitted with the limit and with the reference
 * design.
 *
 * <p>{@link io.tidegate.demo.Demo} owns all parts. The threads of {@code Traffic}, {@code Sampler}
 * and {@code Supervisor} do the periodic work; threads of {@code Page} call actions. Every part is
 * safe for them to use at the same time.
 */
@NullMarked
package io.tidegate.demo;

import org.jspecify.annotations.NullMarked;
