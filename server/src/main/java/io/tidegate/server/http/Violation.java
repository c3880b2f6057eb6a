package io.tidegate.server.http;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one part of a request.
 *
 * @param location where: {@code body.limit}
 * @param message what is wrong, with the value
 * @param fix what to do about it; null if that goes without saying
 */
public record Violation(
    String location, String message, @Nullable String fix) {}
