package io.tidegate.spring.method;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how often a method of a Spring bean is called.
 *
 * <pre>{@code
 * @RateLimited(name = "orders", key = "#userId", limit = 10, window = "1m")
 * public Order place(String userId, Cart cart) { ... }
 * }</pre>
 *
 * <p>A call beyond the limit throws {@link RateLimitedException} without running the method, or
 * runs the {@link #fallback} method. Methods that return a {@code CompletionStage} or a reactive
 * type never wait for a decision: the stage or the publisher fails instead. A {@code Mono} or
 * {@code Flux} is decided on when it is subscribed to, once for each subscription.
 *
 * <p>Several annotations on one method apply together: a call is charged to all of them, or to none
 * if one denies it. An annotation on a class limits each of its public methods, unless the method
 * has annotations of its own; all methods share the count. Annotations that carry this one work in
 * the same way, with attributes declared by {@code @AliasFor}.
 *
 * <p>The limit applies to calls that go through the Spring bean; a call of {@code this.place(...)}
 * within the class does not. Everything is checked when the application starts, and a mistake stops
 * the start: an invalid expression, an unknown argument or bean, a missing fallback, a method that
 * Spring cannot intercept because it is private, static or final.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(RateLimited.List.class)
public @interface RateLimited {

  /**
   * The name of the limit, for counts, headers and metrics: {@code name = "orders"}. Methods whose
   * annotations have the same name and window share their counts.
   *
   * @return 1 to 512 characters
   */
  String name();

  /**
   * A SpEL expression for whose calls are counted together: {@code key = "#userId"}. Without it,
   * all calls are counted together.
   *
   * <p>It may use the arguments ({@code #userId}, or {@code #p0} by position), beans
   * ({@code @tenants.of(#userId)}), the name of the authenticated user ({@code principal}, with
   * Spring Security), {@code method}, {@code args} and {@code target}. Calls for which the value is
   * null or blank, or cannot be computed, share one count.
   *
   * @return the expression
   */
  String key() default "";

  /**
   * The calls that are allowed per window: {@code limit = 10}. A
   * {@link io.tidegate.rules.web.LimitProvider} bean may replace it for some keys.
   *
   * @return 0 to 10^12; 0 denies all calls
   */
  long limit();

  /**
   * The length of the window: {@code window = "10s"}, {@code "1h"} or {@code "PT1M"}.
   *
   * @return one second to 366 days
   */
  String window() default "1m";

  /**
   * The tokens that a call takes from the limit, as a number or a SpEL expression: {@code cost =
   * "#items.size()"}.
   *
   * @return the number or the expression
   */
  String cost() default "1";

  /**
   * The name of a method of the same class that is called instead of a denied one: {@code fallback
   * = "placeLater"}. It has the same parameters, optionally followed by a
   * {@link RateLimitedException}, and returns the same type. It is not limited itself. If several
   * limits deny a call, the fallback of the first of them is called.
   *
   * @return the name; empty to throw the exception
   */
  String fallback() default "";

  /** Holds several annotations; the compiler inserts it. */
  @Target({ElementType.METHOD, ElementType.TYPE})
  @Retention(RetentionPolicy.RUNTIME)
  @Documented
  @interface List {

    /**
     * The annotations.
     *
     * @return in the order of the source
     */
    RateLimited[] value();
  }
}
