package io.tidegate.server.config;

/**
 * The value of a setting as it was given.
 *
 * @param value the unparsed text
 * @param source where it was given, for messages: {@code TIDEGATE_HTTP_PORT}
 */
record SettingValue(String value, String source) {}
