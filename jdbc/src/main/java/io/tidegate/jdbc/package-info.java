/** The global counters in MySQL or MariaDB, and the server's catalog. */
@org.jspecify.annotations.NullMarked
package io.tidegate.jdbc;
