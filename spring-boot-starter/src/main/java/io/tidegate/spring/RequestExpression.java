package io.tidegate.spring;

import io.tidegate.rules.web.WebRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * An expression over a web request, which has been parsed and whose names exist. Thread-safe.
 *
 * <p>An evaluation can still fail, because of a bean for example. The exception is for
 * {@code WebLimiter}, which keeps the request limited.
 */
final class RequestExpression {

  private final Expression expression;
  private final EvaluationContext context;
  private final Function<WebRequest, RequestRoot> root;
  private final Class<?> type;
  private final boolean constant;
  private final boolean readsPrincipal;

  private RequestExpression(
      Expression expression,
      EvaluationContext context,
      Function<WebRequest, RequestRoot> root,
      Class<?> type,
      ExpressionCheck check) {
    this.expression = expression;
    this.context = context;
    this.root = root;
    this.type = type;
    this.constant = check.isConstant();
    this.readsPrincipal = check.readsPrincipal();
  }

  /**
   * Parses and checks an expression.
   *
   * @throws IllegalArgumentException if it is wrong; the message is one or more sentences
   */
  static RequestExpression parse(String text, ExpressionScope scope) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("The expression is empty.");
    }
    if (text.strip().startsWith("#{") || text.strip().startsWith("${")) {
      throw new IllegalArgumentException("The expression must not be inside of #{ } or ${ }.");
    }
    SpelExpression expression = parse(text);
    ExpressionCheck check = new ExpressionCheck(scope.rootType(), scope.beans());
    Class<?> type = check.check(expression.getAST());
    if (isAsynchronous(type)) {
      throw new IllegalArgumentException("The value is a " + type.getSimpleName()
          + ", but must be known at once: read it from memory.");
    }
    StandardEvaluationContext context = new StandardEvaluationContext();
    context.setBeanResolver(new BeanFactoryResolver(scope.beans()));
    return new RequestExpression(expression, context, scope.root(), type, check);
  }

  private static SpelExpression parse(String text) {
    try {
      return new SpelExpressionParser().parseRaw(text);
    } catch (ParseException e) {
      throw new IllegalArgumentException(
          "The expression cannot be parsed: " + e.getSimpleMessage() + ", at position "
              + e.getPosition() + ".",
          e);
    } catch (IllegalStateException e) { // of unusual errors, such as unbalanced brackets
      throw new IllegalArgumentException("The expression cannot be parsed: " + e.getMessage(), e);
    }
  }

  private static boolean isAsynchronous(Class<?> type) {
    return type != Object.class
        && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
  }

  /** The type of the value; Object if unknown. */
  Class<?> type() {
    return type;
  }

  /** Whether the value does not depend on the request. */
  boolean isConstant() {
    return constant;
  }

  /** Whether the value depends on the authenticated user, as far as names show it. */
  boolean readsPrincipal() {
    return readsPrincipal;
  }

  /** The value of a constant expression. */
  @Nullable
  Object constant() {
    return expression.getValue(context);
  }

  /** The value as a key: the name of a principal, or the text of any other value. */
  @Nullable
  String text(WebRequest request) {
    Object value = expression.getValue(context, root.apply(request));
    if (value instanceof Optional<?> optional) {
      value = optional.orElse(null);
    }
    if (value instanceof Principal principal) {
      return principal.getName();
    }
    return value == null ? null : value.toString();
  }

  /** The value as a number. */
  long number(WebRequest request) {
    Long value = expression.getValue(context, root.apply(request), Long.class);
    if (value == null) {
      throw new IllegalArgumentException("the value is null: " + expression.getExpressionString());
    }
    return value;
  }

  /** The value as a condition. */
  boolean test(WebRequest request) {
    Boolean value = expression.getValue(context, root.apply(request), Boolean.class);
    if (value == null) {
      throw new IllegalArgumentException("the value is null: " + expression.getExpressionString());
    }
    return value;
  }
}
