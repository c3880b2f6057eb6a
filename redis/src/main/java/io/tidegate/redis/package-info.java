/**
 * The origin of a region in Redis. Applications use {@link io.tidegate.redis.RedisOrigin}; the
 * other classes are internal.
 *
 * <p>{@code RedisOrigin} translates calls of the limiter into commands. {@code CellStore} defines
 * the commands and the script for a cell, {@code CellKey} the names of keys and fields. A
 * {@code Pipeline} sends the commands of one call, to each master of a cluster in one batch.
 * {@code ManagedConnection} owns the Lettuce client and its connection, and reconnects.
 *
 * <p>Calls never block: they write to a socket, and answers arrive on the threads of the Lettuce
 * client. Without a connection they fail at once. Nothing is retried here, because the limiter
 * sends every unconfirmed count again. Only the constructor blocks, for at most 4 s until the first
 * attempt to connect has ended and 2 s for the warm-up; and {@code close}, for at most 1 s.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.redis;
