package io.tidegate.local;

/**
 * What the origin holds of one cell, beside the own count of this node.
 *
 * @param peers tokens that other nodes of the region have admitted
 * @param imported sum of the counts of other regions
 * @param regions number of other regions with a count
 * @param pushed the part of the regional count that the global counters hold
 */
public record CellAnswer(long peers, long imported, int regions, long pushed) {}
