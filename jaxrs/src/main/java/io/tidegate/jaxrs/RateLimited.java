package io.tidegate.jaxrs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Applies rules to a resource or one of its methods, by their names.
 *
 * <pre>{@code
 * @POST
 * @RateLimited("uploads")
 * public Response upload(InputStream file) { ... }
 * }</pre>
 *
 * <p>The rules must be {@linkplain RateLimitFeature#byAnnotation declared for annotations}; an
 * application with an unknown name does not start. A method has the rules of its own annotation and
 * of the annotation of its class; both may be on superclasses and interfaces.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface RateLimited {

  /**
   * The names of the rules: {@code @RateLimited({"uploads", "writes"})}.
   *
   * @return at least one
   */
  String[] value();
}
