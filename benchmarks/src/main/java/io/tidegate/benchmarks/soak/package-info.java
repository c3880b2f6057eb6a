/**
 * A long run of one server with Redis and MariaDB, while identifiers come and go and both stores
 * are restarted.
 *
 * <p>The server, Redis and MariaDB are processes of their own. In this process one thread generates
 * the load, one samples the server, and one restarts the stores.
 */
@NullMarked
package io.tidegate.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
