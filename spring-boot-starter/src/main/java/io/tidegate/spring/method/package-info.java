/**
 * Limits on calls of methods: {@link io.tidegate.spring.method.RateLimited}.
 *
 * <p>Applications use the annotation and the exception; the other types are the wiring of Spring.
 * The annotations of all beans are read and checked once, at the start of the application. The
 * objects made from them are used by all threads.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.spring.method;
