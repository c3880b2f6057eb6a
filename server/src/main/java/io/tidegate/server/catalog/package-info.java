/**
 * This node's copy of the catalog, and its edits.
 *
 * <p>{@code CatalogFollower} reads changes from the database and applies them to a
 * {@code Directory}; requests read the directory without blocking. {@code CatalogEditor} writes to
 * the database on its own threads and applies the result to the directory. Rows carry versions, and
 * the newest version wins, so the two may apply changes in any order.
 *
 * <p>The types of this package stand between the API and {@code io.tidegate.catalog}: callers see
 * {@code Caller}, {@code KnownWorkspace}, {@code KnownNamespace} and {@code KnownOverride}, never
 * the records of the database. {@code Action} is the only list of permissions.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.catalog;
