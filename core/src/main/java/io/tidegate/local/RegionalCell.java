package io.tidegate.local;

/**
 * The regional count of one cell at one instant, and what a push policy needs to judge it.
 *
 * @param startMillis when the cell began
 * @param count tokens that the region has admitted
 * @param pushed the part that the global counters hold
 * @param limit the lowest limit under which a token was admitted lately
 * @param effective the count that a limit is compared with, over both cells and all regions
 * @param regions number of regions that have counted in this cell or the one next to it, including
 *     this one
 */
public record RegionalCell(
    long startMillis, long count, long pushed, long limit, long effective, int regions) {}
