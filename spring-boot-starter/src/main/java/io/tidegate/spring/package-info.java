/**
 * Rate limits for Spring Boot applications.
 *
 * <p>Add the starter, and set limits by properties:
 *
 * <pre>
 * tidegate:
 *   rules:
 *     - name: api
 *       path: /api/**
 *       key: header('X-Api-Key')
 *       limit: 100
 *       window: 1m
 * </pre>
 *
 * <p>{@link io.tidegate.spring.TidegateProperties} lists the properties, and
 * {@link io.tidegate.spring.TidegateAutoConfiguration} the beans that an application can replace.
 * The other types are the wiring of Spring and not for applications.
 *
 * <p>Rules are read once, at the start of the application, which fails if one of them is wrong. The
 * objects made from them are immutable and are used by all threads that serve requests.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.spring;
