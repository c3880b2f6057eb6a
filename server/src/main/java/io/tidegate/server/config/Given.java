package io.tidegate.server.config;

/**
 * What somebody has set.
 *
 * @param value as it was written
 * @param source where, for messages: {@code TIDEGATE_HTTP_PORT}
 */
record Given(String value, String source) {}
