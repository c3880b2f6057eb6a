package io.tidegate.spring.method;

import java.lang.reflect.Method;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;

/** Applies the interceptor to the limited methods of all beans. */
final class RateLimitedAdvisor extends StaticMethodMatcherPointcutAdvisor {

  private static final long serialVersionUID = 1;

  /**
   * After the security of methods, so that calls without permission are not counted; before caches
   * and transactions, which have the lowest precedence, so that a denied call needs no connection.
   */
  static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

  private final transient MethodLimits limits;

  RateLimitedAdvisor(MethodLimits limits, RateLimitedInterceptor interceptor) {
    super(interceptor);
    this.limits = limits;
    setOrder(ORDER);
    setClassFilter(new CandidateFilter());
  }

  /** Whether a class can have annotations; false for those of Java and Spring, to start faster. */
  static boolean mayBeLimited(Class<?> type) {
    return AnnotationUtils.isCandidateClass(type, RateLimited.class)
        && !type.getName().startsWith("org.springframework.");
  }

  @Override
  public boolean matches(Method method, Class<?> type) {
    return limits.find(method, type) != null;
  }

  /** Named, because Spring compares filters to share proxy classes. */
  private static final class CandidateFilter implements ClassFilter {

    @Override
    public boolean matches(Class<?> type) {
      return mayBeLimited(type);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof CandidateFilter;
    }

    @Override
    public int hashCode() {
      return CandidateFilter.class.hashCode();
    }
  }
}
