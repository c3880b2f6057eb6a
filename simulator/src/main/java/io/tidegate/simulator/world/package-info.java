/**
 * A world in virtual time: nodes of the real core, servers that they call, and the ways between.
 */
package io.tidegate.simulator.world;
