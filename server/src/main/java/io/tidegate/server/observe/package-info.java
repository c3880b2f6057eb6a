/** What is seen of a node from outside: metrics, health, and the port that tells them. */
@org.jspecify.annotations.NullMarked
package io.tidegate.server.observe;
