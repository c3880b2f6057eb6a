package io.tidegate.spring.method;

import io.tidegate.spring.TidegateConfigurationException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method with the {@link RateLimited} annotations that apply to it.
 *
 * @param type the class of the bean
 * @param method the method of that class, or of an interface that it implements
 * @param annotations at least one
 */
record AnnotatedMethod(Class<?> type, Method method, List<RateLimited> annotations) {

  /**
   * Finds the annotations of a method: its own or, as the nearest, those of a method that it
   * overrides or implements; otherwise, for public methods, those of the class.
   *
   * @param called the method of the class or of one of its interfaces
   * @param beanType the class of the bean, which may be a generated subclass
   * @return without annotations if the method is not limited
   */
  static AnnotatedMethod of(Method called, Class<?> beanType) {
    Class<?> type = ClassUtils.getUserClass(beanType);
    boolean generated = Proxy.isProxyClass(type); // has nothing of its own but final methods
    Method method = generated ? called : AopUtils.getMostSpecificMethod(called, type);
    List<RateLimited> own = nearest(MergedAnnotations.from(
        method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables()));
    return new AnnotatedMethod(
        generated ? method.getDeclaringClass() : type,
        method,
        own.isEmpty() && isLimitedByClass(method) ? ofClass(type) : own);
  }

  private static List<RateLimited> ofClass(Class<?> type) {
    return nearest(MergedAnnotations.from(
        type, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables()));
  }

  /**
   * Texts and comparisons of an object, which log statements and collections use, are not calls.
   */
  private static boolean isLimitedByClass(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && !ReflectionUtils.isObjectMethod(method);
  }

  private static List<RateLimited> nearest(MergedAnnotations annotations) {
    List<MergedAnnotation<RateLimited>> all =
        annotations.stream(RateLimited.class).toList();
    int nearest =
        all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
    return all.stream()
        .filter(annotation -> annotation.getAggregateIndex() == nearest)
        .map(MergedAnnotation::synthesize)
        .toList();
  }

  boolean isLimited() {
    return !annotations.isEmpty();
  }

  /** Class and method for messages: {@code OrderService.place}. */
  String name() {
    return type.getSimpleName() + "." + method.getName();
  }

  /** Rejects a method that no proxy can intercept. */
  void checkInterceptable() {
    int modifiers = method.getModifiers();
    for (int each : List.of(Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)) {
      if ((modifiers & each) != 0) {
        throw invalid(
            "The method is " + Modifier.toString(each)
                + ", so Spring cannot intercept its calls and the limit would never apply.",
            "Make the method public and neither static nor final, or annotate the methods through"
                + " which other beans call it.");
      }
    }
  }

  /** An exception for annotations that cannot apply to the method. */
  TidegateConfigurationException invalid(String reason, String action) {
    return new TidegateConfigurationException(
        "@RateLimited on " + fullName(), null, reason, action);
  }

  /** An exception for an attribute with an invalid value. */
  TidegateConfigurationException invalid(
      String attribute, Object value, String reason, String action) {
    return new TidegateConfigurationException(
        "@RateLimited(" + attribute + ") on " + fullName(), value.toString(), reason, action);
  }

  private String fullName() {
    return type.getName() + "." + method.getName() + "("
        + FallbackMethod.types(method.getParameterTypes()) + ")";
  }
}
