package io.tidegate.spring.method;

import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebRule;
import io.tidegate.spring.TidegateConfigurationException;
import io.tidegate.spring.WebLimiterSettings;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;

/**
 * The limited methods of an application, found and checked when they are first looked up.
 * Thread-safe.
 *
 * <p>Created before other beans, so it asks the bean factory for them when a method is first
 * called.
 */
final class MethodLimits {

  private final BeanFactory beans;
  private final Map<MethodClassKey, Optional<LimitedMethod>> methods = new ConcurrentHashMap<>();

  MethodLimits(BeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the limits of a method.
   *
   * @param method a method of the class, or of an interface that it implements
   * @param type the class of the bean
   * @return null if the method is not limited
   * @throws TidegateConfigurationException if an annotation is invalid
   */
  @Nullable
  LimitedMethod find(Method method, Class<?> type) {
    MethodClassKey key = new MethodClassKey(method, type);
    Optional<LimitedMethod> known = methods.get(key);
    return (known == null ? methods.computeIfAbsent(key, absent -> read(method, type)) : known)
        .orElse(null);
  }

  private Optional<LimitedMethod> read(Method method, Class<?> type) {
    AnnotatedMethod annotated = AnnotatedMethod.of(method, type);
    return annotated.isLimited()
        ? Optional.of(new LimitedMethod(annotated, beans, this::limiter))
        : Optional.empty();
  }

  /** Without headers, which a call of a method does not have; the exception handler adds them. */
  private WebLimiter limiter(Collection<WebRule> rules) {
    return beans
        .getBean(WebLimiterSettings.class)
        .builder(rules)
        .withoutHeaders()
        .build();
  }

  /** Whether a proxy limits the methods of its target. */
  boolean isLimited(Advised proxy) {
    for (Advisor advisor : proxy.getAdvisors()) {
      if (advisor.getAdvice() instanceof RateLimitedInterceptor) {
        return true;
      }
    }
    return false;
  }

  /** The limits of all limited methods that were looked up. */
  List<LimitedMethod> found() {
    return methods.values().stream().flatMap(Optional::stream).toList();
  }
}
