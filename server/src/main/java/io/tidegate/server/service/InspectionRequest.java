package io.tidegate.server.service;

import org.jspecify.annotations.Nullable;

/**
 * An operator's question about an identifier.
 *
 * @param workspace the id of a workspace, or the domain of rules; null if there is one workspace
 * @param namespace the name or the id of a namespace
 * @param identifier the identifier
 * @param windowMillis the only window to look at; null for all that are known
 * @param limit the limit to compare with where none is known; null for none
 */
public record InspectionRequest(
    @Nullable String workspace,
    String namespace,
    String identifier,
    @Nullable Long windowMillis,
    @Nullable Long limit) {}
