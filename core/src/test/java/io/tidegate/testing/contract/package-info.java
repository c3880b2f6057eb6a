/**
 * Contract tests for implementations of {@link io.tidegate.spi.RegionalOrigin} and
 * {@link io.tidegate.spi.GlobalCounters}, and tools for other tests of such adapters. Published in
 * the test-jar of {@code tidegate-core}.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.testing.contract;
