/** The server's catalog: workspaces, root keys, namespaces and overrides in a database. */
@org.jspecify.annotations.NullMarked
package io.tidegate.catalog;
