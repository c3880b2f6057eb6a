/** Real servers and bad networks for tests and benchmarks. */
@NullMarked
package io.tidegate.testkit;

import org.jspecify.annotations.NullMarked;
