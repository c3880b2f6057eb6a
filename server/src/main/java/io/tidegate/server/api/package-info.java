/** The routes: what is asked of the limiter and the catalog, and how it is answered. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.api;
