/**
 * Real servers and network faults for tests and benchmarks: MariaDB, Redis, Envoy and other reverse
 * proxies, and a TCP proxy.
 *
 * <p>Servers are processes on loopback, each with a temporary directory; the caller closes them, or
 * the end of the JVM does. Any thread may call.
 */
@NullMarked
package io.tidegate.testkit;

import org.jspecify.annotations.NullMarked;
