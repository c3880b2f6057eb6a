package io.tidegate.server.http;

import org.jspecify.annotations.Nullable;

/**
 * An error in one part of a request.
 *
 * @param location the part: {@code body.limit}
 * @param message the rule that it breaks, with the value
 * @param fix how to correct it; null if the message makes that obvious
 */
public record InputError(
    String location, String message, @Nullable String fix) {}
