/**
 * Tools for tests of applications and adapters: {@link io.tidegate.testing.VirtualTime}, and
 * in-memory stores that can fail, delay and lose counts. Production code must not use them.
 */
@NullMarked
package io.tidegate.testing;

import org.jspecify.annotations.NullMarked;
