/**
 * Global counters in MySQL or MariaDB. Applications use
 * {@link io.tidegate.jdbc.JdbcGlobalCounters}; the other classes are internal.
 *
 * <p>A component is a row. {@code ComponentWriter} and {@code ComponentReader} implement push and
 * pull, {@code CellReader} the inspection of a cell, {@code RegionAnnouncement} the check for
 * duplicate region names, {@code CounterSchema} the tables, {@code Cleanup} the deletion of expired
 * rows. {@code Connections} hides whether the counters own their connections or borrow them from
 * the application.
 *
 * <p>JDBC blocks, so each kind of call has a {@code CallExecutor} with one daemon thread, and the
 * cleanup has another: at most five connections are in use. Statements are bounded by the socket
 * timeout. Nothing is retried here, because the limiter pushes unconfirmed counts again.
 *
 * <p>Every writer locks rows in the order of the primary key, and every connection uses {@code READ
 * COMMITTED}: pushes and cleanups of any number of nodes cannot deadlock.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.jdbc;
