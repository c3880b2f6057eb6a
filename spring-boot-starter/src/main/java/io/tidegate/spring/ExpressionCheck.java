package io.tidegate.spring;

import io.tidegate.rules.web.KeyFunction;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.support.StandardTypeLocator;
import org.springframework.util.ClassUtils;

/**
 * Checks the names in an expression before it is evaluated: the Spring Expression Language would
 * find an unknown name only when a request arrives.
 *
 * <p>Types are followed as far as they are certain. {@code Object} stands for an unknown type,
 * whose members are not checked. One object checks one expression.
 */
final class ExpressionCheck {

  /** Names of members that depend on the authenticated user, whatever object they belong to. */
  private static final Set<String> PRINCIPAL_MEMBERS = Set.of(
      "principal",
      "getPrincipal",
      "userPrincipal",
      "getUserPrincipal",
      "remoteUser",
      "getRemoteUser",
      "isUserInRole");

  private final Class<?> root;
  private final ListableBeanFactory beans;
  private final StandardTypeLocator types = new StandardTypeLocator();
  private boolean constant = true;
  private boolean readsPrincipal;

  /**
   * A check of one expression.
   *
   * @param root the class whose members an expression can use by their names alone
   */
  ExpressionCheck(Class<?> root, ListableBeanFactory beans) {
    this.root = root;
    this.beans = beans;
  }

  /**
   * Checks the expression.
   *
   * @return the type of its value; Object if unknown
   * @throws IllegalArgumentException if a name is unknown; the message is a sentence
   */
  Class<?> check(SpelNode node) {
    if (node instanceof CompoundExpression) {
      Class<?> type = check(node.getChild(0));
      for (int i = 1; i < node.getChildCount(); i++) {
        type = member(node.getChild(i), type);
      }
      return type;
    }
    if (node instanceof PropertyOrFieldReference || node instanceof MethodReference) {
      return member(node, root);
    }
    return reference(node);
  }

  /** Whether the value does not depend on the request. */
  boolean isConstant() {
    return constant;
  }

  /** Whether the value depends on the authenticated user, as far as names show it. */
  boolean readsPrincipal() {
    return readsPrincipal;
  }

  private Class<?> reference(SpelNode node) {
    if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
      throw new IllegalArgumentException(
          "An expression cannot change a value: " + node.toStringAST());
    }
    if (node instanceof BeanReference) {
      constant = false;
      return beanType(name(node));
    }
    if (node instanceof VariableReference || node instanceof FunctionReference) {
      constant = false;
      return variable(node);
    }
    if (node instanceof TypeReference) {
      constant = false;
      String type = node.toStringAST();
      findType(type.substring("T(".length(), type.length() - 1).replace("[]", ""));
      return Object.class;
    }
    constant = constant && !(node instanceof ConstructorReference);
    checkChildren(node);
    return node instanceof StringLiteral ? String.class : Object.class;
  }

  private void checkChildren(SpelNode node) {
    for (int i = 0; i < node.getChildCount(); i++) {
      check(node.getChild(i));
    }
  }

  /** Removes the sign and the quotes of a reference such as {@code @'my.bean'} or {@code #name}. */
  private static String name(SpelNode reference) {
    return reference.toStringAST().substring(1).replace("'", "");
  }

  private Class<?> variable(SpelNode node) {
    String name = name(node);
    if (name.equals("root")) {
      return root;
    }
    if (!name.equals("this")) {
      throw new IllegalArgumentException(
          "There are no variables and no functions: " + node.toStringAST() + ". " + names());
    }
    return Object.class;
  }

  private void findType(String name) {
    try {
      types.findType(name);
    } catch (EvaluationException e) {
      throw new IllegalArgumentException("There is no class " + name + ".", e);
    }
  }

  private Class<?> beanType(String name) {
    if (!beans.containsBean(name)) {
      throw new IllegalArgumentException("There is no bean with the name \"" + name + "\".");
    }
    Class<?> type = beans.getType(name, false);
    return type == null || type.isInterface() ? Object.class : type; // a bean may have more methods
  }

  /** Checks a member of an object, and what it is called with. */
  private Class<?> member(SpelNode node, Class<?> owner) {
    if (node instanceof PropertyOrFieldReference property) {
      constant = false;
      return property(property.getName(), owner);
    }
    if (node instanceof MethodReference method) {
      constant = false;
      return method(method, owner);
    }
    if (node instanceof Indexer || node instanceof Selection || node instanceof Projection) {
      checkInBrackets(node);
      return Object.class;
    }
    return reference(node);
  }

  /** Checks only beans, because names in brackets may be keys of a map, or members of elements. */
  private void checkInBrackets(SpelNode node) {
    constant = false;
    for (int i = 0; i < node.getChildCount(); i++) {
      SpelNode child = node.getChild(i);
      if (child instanceof BeanReference) {
        beanType(name(child));
      }
      readsPrincipal |= child instanceof PropertyOrFieldReference property
          && PRINCIPAL_MEMBERS.contains(property.getName());
      checkInBrackets(child);
    }
  }

  private Class<?> property(String name, Class<?> owner) {
    readsPrincipal |= PRINCIPAL_MEMBERS.contains(name);
    String capitalized = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    List<String> getters = List.of("get" + capitalized, "is" + capitalized, name);
    Class<?> type = Stream.concat(
            methods(owner)
                .filter(getter -> getter.getParameterCount() == 0)
                .filter(getter -> getters.contains(getter.getName()))
                .map(Method::getReturnType),
            Arrays.stream(owner.getFields())
                .filter(field -> field.getName().equals(name))
                .map(field -> (Class<?>) field.getType()))
        .findFirst()
        .orElse(null);
    if (type == null && isCertain(owner)) {
      throw unknown("name", name, owner);
    }
    return known(type);
  }

  private Class<?> method(MethodReference reference, Class<?> owner) {
    String name = reference.getName();
    readsPrincipal |= PRINCIPAL_MEMBERS.contains(name);
    checkChildren(reference);
    List<Method> found = methods(owner)
        .filter(method -> method.getName().equals(name))
        .filter(
            method -> method.isVarArgs() || method.getParameterCount() == reference.getChildCount())
        .toList();
    if (found.isEmpty() && isCertain(owner)) {
      throw unknown("function", name + " with " + reference.getChildCount() + " arguments", owner);
    }
    if (owner == root
        && reference.getChildCount() == 1
        && reference.getChild(0) instanceof StringLiteral literal) {
      checkFieldName(String.valueOf(literal.getLiteralValue().getValue()));
    }
    List<Class<?>> returned =
        found.stream().<Class<?>>map(Method::getReturnType).distinct().toList();
    return returned.size() == 1 ? known(returned.get(0)) : Object.class;
  }

  /** A header or cookie with such a name never exists. */
  private static void checkFieldName(String name) {
    try {
      KeyFunction.header(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("Wrong " + e.getMessage() + ".", e);
    }
  }

  /** The public methods of a type; also of an interface, whose objects have those of Object. */
  private static Stream<Method> methods(Class<?> type) {
    Stream<Method> own = Arrays.stream(type.getMethods());
    return type.isInterface() ? Stream.concat(own, Arrays.stream(Object.class.getMethods())) : own;
  }

  private static Class<?> known(@Nullable Class<?> type) {
    return type == null || type.isArray()
        ? Object.class
        : ClassUtils.resolvePrimitiveIfNecessary(type);
  }

  /**
   * Whether an object of a type has no further members that an expression may use. The request of
   * the framework may have some, but no application should depend on the server.
   */
  private boolean isCertain(Class<?> type) {
    if (type == Object.class) {
      return false;
    }
    return type == root
        || Modifier.isFinal(type.getModifiers())
        || Arrays.stream(root.getMethods()).anyMatch(getter -> getter.getReturnType() == type)
        || beans.getBeanNamesForType(type, true, false).length > 0;
  }

  private IllegalArgumentException unknown(String kind, String name, Class<?> owner) {
    return new IllegalArgumentException(
        owner == root
            ? "Unknown " + kind + " " + name + ". " + names()
            : "A " + owner.getSimpleName() + " has no " + kind + " " + name + ".");
  }

  /** Lists what an expression can use. */
  private String names() {
    Set<String> names = new TreeSet<>();
    for (Method method : root.getMethods()) {
      if (method.getDeclaringClass() != Object.class) {
        names.add(
            method.getParameterCount() == 0
                ? Character.toLowerCase(method.getName().charAt(3))
                    + method.getName().substring(4)
                : method.getName() + "('...')");
      }
    }
    return "Expressions can use " + String.join(", ", names)
        + ", beans such as @plans.keyOf(principal), and text in quotes such as 'all'.";
  }
}
