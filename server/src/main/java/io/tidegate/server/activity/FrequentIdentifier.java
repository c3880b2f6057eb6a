package io.tidegate.server.activity;

/**
 * An identifier with many requests, or many denials, in the last minute.
 *
 * @param perMinute an estimate of their number, rarely too low
 * @param error how much of it may belong to other identifiers
 * @param limit the lowest limit that they were compared with, in the window of the last one
 * @param windowMillis that window
 */
public record FrequentIdentifier(
    String identifier, long perMinute, long error, long limit, long windowMillis) {}
