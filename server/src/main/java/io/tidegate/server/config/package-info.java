/** The settings of a server, and the only place that reads them. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.config;
