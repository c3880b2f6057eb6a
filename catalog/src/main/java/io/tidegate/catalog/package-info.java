/**
 * The server's catalog: workspaces, root keys, namespaces and overrides in a database.
 *
 * <p>{@code Catalog} is the entry point; any thread may call it, and calls block. It validates
 * arguments and delegates to one class per table. {@code CatalogDatabase} owns the connections.
 * {@code Storage} hides the database product: {@code MySqlStorage} for nodes that share a database,
 * {@code FileStorage} for a single node without one.
 *
 * <p>Every edit raises the version of the catalog in the same transaction and stamps the rows it
 * changes with it. Nodes follow the catalog by reading rows with a greater version, so rows are
 * marked as deleted and never removed.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.catalog;
