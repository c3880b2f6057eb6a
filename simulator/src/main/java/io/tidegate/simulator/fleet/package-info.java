/** Fleets as large as the RFC found them, and larger: what they ask of databases and memory. */
package io.tidegate.simulator.fleet;
