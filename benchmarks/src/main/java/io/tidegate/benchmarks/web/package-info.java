/**
 * Rate limiters in a Spring Boot application: one application, without a limiter and with several.
 *
 * <p>Applications run in processes of their own, each with the class path that its module below
 * {@code benchmarks/applications} has. This package uses no class of Spring.
 */
@NullMarked
package io.tidegate.benchmarks.web;

import org.jspecify.annotations.NullMarked;
