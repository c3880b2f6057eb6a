package io.tidegate.spring.method;

import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.standard.SpelExpression;

/** A checked SpEL expression over the calls of one method. Thread-safe. */
final class MethodExpression {

  static final ParameterNameDiscoverer PARAMETER_NAMES = new DefaultParameterNameDiscoverer();

  /**
   * Whether the values of a class have a text of their own. That of {@link Object} differs for each
   * object, so that each call would have a count of its own and the limit would limit nothing.
   */
  private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      try {
        return !type.isArray() && type.getMethod("toString").getDeclaringClass() != Object.class;
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("every class has toString()", e);
      }
    }
  };

  private final Method method;
  private final SpelExpression expression;
  private final boolean readsPrincipal;
  private final BeanFactoryResolver beans;

  MethodExpression(
      Method method, SpelExpression expression, boolean readsPrincipal, BeanFactory beans) {
    this.method = method;
    this.expression = expression;
    this.readsPrincipal = readsPrincipal;
    this.beans = new BeanFactoryResolver(beans);
  }

  /** Whether the expression may read {@link MethodCall#getPrincipal}. */
  boolean readsPrincipal() {
    return readsPrincipal;
  }

  /** The value as a text; null if it is null or an empty {@link Optional}. */
  @Nullable
  String text(MethodCall call) {
    Object value = value(call);
    if (value instanceof Optional<?> optional) {
      value = optional.orElse(null);
    }
    if (value == null) {
      return null;
    }
    if (!HAS_TEXT.get(value.getClass())) {
      throw new IllegalArgumentException(
          "%s is a %s, which has no toString() of its own; use a property of it that identifies the caller"
              .formatted(expression.getExpressionString(), value.getClass().getTypeName()));
    }
    return value.toString();
  }

  /** The value as a number. */
  long number(MethodCall call) {
    Object value = value(call);
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw new IllegalArgumentException(
        expression.getExpressionString() + " is not a number: " + value);
  }

  private @Nullable Object value(MethodCall call) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(call, method, call.getArgs(), PARAMETER_NAMES);
    context.setBeanResolver(beans);
    return expression.getValue(context);
  }
}
