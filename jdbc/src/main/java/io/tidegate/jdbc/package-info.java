/** The global counters in MySQL or MariaDB. */
@org.jspecify.annotations.NullMarked
package io.tidegate.jdbc;
