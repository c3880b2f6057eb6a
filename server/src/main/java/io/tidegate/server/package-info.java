/** The server: what a team runs. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server;
