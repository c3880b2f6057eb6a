/**
 * The values of the API: requests, decisions, limits, and the names and cells that counts belong
 * to.
 *
 * <p>All types are immutable records that reject invalid values when they are created. They contain
 * no time, no I/O and no shared state, and every other package may use them.
 */
@NullMarked
package io.tidegate.model;

import org.jspecify.annotations.NullMarked;
