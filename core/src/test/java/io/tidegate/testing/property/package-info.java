/**
 * Property tests: one test, run against many generated inputs. Start at
 * {@link io.tidegate.testing.property.Property}. Published in the test-jar of
 * {@code tidegate-core}.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.testing.property;
