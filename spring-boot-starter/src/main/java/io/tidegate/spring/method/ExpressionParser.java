package io.tidegate.spring.method;

import io.tidegate.spring.TidegateConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Parses an expression of one annotation attribute, and checks the names in it: arguments, beans
 * and properties of {@link MethodCall}.
 */
final class ExpressionParser {

  private static final List<String> PROPERTIES = List.of("args", "method", "principal", "target");

  private static final SpelExpressionParser PARSER = new SpelExpressionParser();

  private static final boolean HAS_SECURITY = ClassUtils.isPresent(
      "org.springframework.security.core.context.SecurityContextHolder",
      ExpressionParser.class.getClassLoader());

  private final AnnotatedMethod annotated;
  private final String attribute;
  private final String text;
  private final BeanFactory beans;

  /** Whether the parsed expression reads the authenticated user. */
  private boolean readsPrincipal;

  ExpressionParser(AnnotatedMethod annotated, String attribute, String text, BeanFactory beans) {
    this.annotated = annotated;
    this.attribute = attribute;
    this.text = text;
    this.beans = beans;
  }

  MethodExpression parse() {
    SpelExpression expression;
    try {
      expression = PARSER.parseRaw(text);
    } catch (ParseException | IllegalStateException e) {
      throw invalid("It is not a valid SpEL expression: " + e.getMessage() + ".", example());
    }
    check(expression.getAST(), true);
    return new MethodExpression(annotated.method(), expression, readsPrincipal, beans);
  }

  /**
   * Checks a node and those below it.
   *
   * @param onRoot whether names without a prefix are properties of the root object; those within a
   *     projection or selection are properties of elements
   */
  private void check(SpelNode node, boolean onRoot) {
    if (node instanceof VariableReference) {
      checkVariable(node.toStringAST());
    } else if (node instanceof FunctionReference) {
      throw invalid(node.toStringAST() + " is not a known function.", example());
    } else if (node instanceof BeanReference) {
      checkBean(node.toStringAST());
    } else if (node instanceof PropertyOrFieldReference property && onRoot) {
      checkProperty(property.getName());
    } else if (node instanceof MethodReference method && onRoot) {
      checkMethod(method.getName());
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      SpelNode child = node.getChild(i);
      if (node instanceof CompoundExpression && i > 0) {
        checkPart(child, onRoot);
      } else if (!(node instanceof Indexer && child instanceof PropertyOrFieldReference)) {
        // a plain name as an index may be the key of a map
        check(child, onRoot && !isScope(node));
      }
    }
  }

  /** Checks what follows a dot: its name is on a value, but its arguments are on the root again. */
  private void checkPart(SpelNode part, boolean onRoot) {
    if (part instanceof PropertyOrFieldReference property) {
      readsPrincipal |= property.getName().equals("principal"); // perhaps #root.principal
      return;
    }
    readsPrincipal |=
        part instanceof MethodReference method && method.getName().equals("getPrincipal");
    for (int i = 0; i < part.getChildCount(); i++) {
      SpelNode child = part.getChild(i);
      if (!(part instanceof Indexer && child instanceof PropertyOrFieldReference)) {
        check(child, onRoot && !isScope(part));
      }
    }
  }

  private static boolean isScope(SpelNode node) {
    return node instanceof Projection || node instanceof Selection;
  }

  private void checkVariable(String variable) {
    List<String> known = variables();
    if (!known.contains(variable) && !variable.equals("#root") && !variable.equals("#this")) {
      throw invalid(
          variable + " is not an argument of the method.",
          annotated.method().getParameterCount() == 0
              ? "Use a bean, such as @tenants.current(), or leave out the " + attribute + "."
              : "Use one of " + String.join(", ", known) + "."
                  + (hasNames() ? "" : " To use names, compile the class with -parameters."));
    }
  }

  private List<String> variables() {
    List<String> variables = new ArrayList<>();
    String[] names = MethodExpression.PARAMETER_NAMES.getParameterNames(annotated.method());
    if (names != null) {
      Stream.of(names).map(name -> "#" + name).forEach(variables::add);
    }
    for (String prefix : List.of("#p", "#a")) {
      IntStream.range(0, annotated.method().getParameterCount())
          .mapToObj(i -> prefix + i)
          .forEach(variables::add);
    }
    return variables;
  }

  private boolean hasNames() {
    return MethodExpression.PARAMETER_NAMES.getParameterNames(annotated.method()) != null;
  }

  private void checkBean(String reference) {
    String name = reference.replaceFirst("^@", "").replace("'", "");
    if (!beans.containsBean(name)) {
      throw invalid(
          "There is no bean named " + name + ".",
          "Define a bean of this name, or correct the name in the expression.");
    }
  }

  private void checkProperty(String name) {
    if (!PROPERTIES.contains(name)) {
      throw invalid(
          name + " is none of " + String.join(", ", PROPERTIES) + ".",
          variables().contains("#" + name)
              ? "Put # before the name of an argument: #" + name + "."
              : example());
    }
    if (name.equals("principal")) {
      checkPrincipal();
    }
  }

  private void checkMethod(String name) {
    if (PROPERTIES.stream().noneMatch(property -> name.equalsIgnoreCase("get" + property))) {
      throw invalid(
          name + "(...) is a method of no bean or argument.",
          "Put the bean or the argument before it, such as @bean." + name + "(...).");
    }
    if (name.equals("getPrincipal")) {
      checkPrincipal();
    }
  }

  private void checkPrincipal() {
    readsPrincipal = true;
    if (!HAS_SECURITY) {
      throw invalid(
          "principal is the name of the user whom Spring Security authenticated, and Spring"
              + " Security is not on the class path.",
          "Add Spring Security, or use an argument or a bean instead.");
    }
  }

  private String example() {
    List<String> variables = variables();
    String first = variables.isEmpty() ? "@tenants.current()" : variables.get(0);
    return "Write an expression such as " + first
        + (variables.isEmpty()
            ? "."
            : "; the arguments are "
                + variables.stream()
                    .filter(name -> !name.matches("#a\\d+"))
                    .collect(Collectors.joining(", "))
                + ".");
  }

  private TidegateConfigurationException invalid(String reason, String action) {
    return annotated.invalid(attribute, text, reason, action);
  }
}
