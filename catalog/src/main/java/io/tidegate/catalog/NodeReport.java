package io.tidegate.catalog;

/**
 * What a node last reported about itself.
 *
 * @param node the name of the node, which no other process has had
 * @param region the region of the node
 * @param content the report, in a format of the server
 * @param ageMillis time since the report, by the clock of the database
 */
public record NodeReport(String node, String region, String content, long ageMillis) {}
