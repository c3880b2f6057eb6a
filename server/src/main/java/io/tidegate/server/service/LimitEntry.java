package io.tidegate.server.service;

/**
 * One limit that a request asks for.
 *
 * @param namespace the name or the id of a namespace
 * @param identifier the subject of the limit
 * @param limit tokens per window, unless an override replaces it
 * @param durationMillis the length of the window, unless an override replaces it
 * @param cost tokens to take; 0 peeks
 */
public record LimitEntry(
    String namespace, String identifier, long limit, long durationMillis, long cost) {}
