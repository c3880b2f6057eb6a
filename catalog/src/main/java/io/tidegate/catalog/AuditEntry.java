package io.tidegate.catalog;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log: one edit of the catalog. Names are the present ones of the rows,
 * deleted rows included; null if there is no such row.
 *
 * @param atMillis time of the edit by the clock of its node, in milliseconds since 1970
 * @param workspaceId workspace of the changed row
 * @param event what happened, such as {@code ratelimit.set_override}
 * @param actor id of the key that made the edit, or {@code operator} for the command line
 * @param actorName name of that key
 * @param target id of the changed row
 * @param targetName name of the changed row; of an override, its identifier
 * @param targetNamespace name of the namespace, if the changed row is an override
 * @param version version of the catalog after the edit
 */
public record AuditEntry(
    long atMillis,
    String workspaceId,
    String event,
    String actor,
    @Nullable String actorName,
    String target,
    @Nullable String targetName,
    @Nullable String targetNamespace,
    long version) {}
