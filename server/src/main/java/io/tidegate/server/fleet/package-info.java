/**
 * The nodes of all regions, as they report themselves in the database.
 *
 * <p>{@code NodeStatus} describes this node, {@code Fleet} stores that description and reads those
 * of the other nodes, {@code NamespaceTable} adds up what they report about namespaces. A thread of
 * its own calls the database, so that neither decisions nor event loops wait for it. The console is
 * the reader; nothing depends on reports.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.fleet;
