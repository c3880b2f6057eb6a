/** Random faults in virtual time, and somebody who checks at every step what is guaranteed. */
@org.jspecify.annotations.NullMarked
package io.tidegate.simulator.chaos;
