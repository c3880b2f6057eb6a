/**
 * The front door: {@link io.tidegate.RateLimiter}, its builder, and the {@link io.tidegate.Gate}
 * that callers may keep.
 */
package io.tidegate;
