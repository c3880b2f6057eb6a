/** What this node knows of the catalog, so that no request has to ask a database. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.catalog;
