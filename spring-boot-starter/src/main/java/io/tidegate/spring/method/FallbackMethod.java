package io.tidegate.spring.method;

import io.tidegate.spring.TidegateConfigurationException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * The method that is called instead of a denied one. It is called on the bean itself, not through
 * its proxy, so that it may be private and is not limited.
 */
final class FallbackMethod {

  private final Method method;
  private final boolean takesException;

  private FallbackMethod(Method method, boolean takesException) {
    this.method = method;
    this.takesException = takesException;
    ReflectionUtils.makeAccessible(method);
  }

  /**
   * Finds the fallback of a method, with the exception as a parameter if there is such a one.
   *
   * @throws TidegateConfigurationException if there is none with the right parameters and return
   *     type
   */
  static FallbackMethod find(AnnotatedMethod annotated, String name) {
    Method limited = annotated.method();
    List<Method> named =
        methods(annotated.type()).filter(each -> each.getName().equals(name)).toList();
    Class<?>[] parameters = limited.getParameterTypes();
    Class<?>[] withException = Arrays.copyOf(parameters, parameters.length + 1);
    withException[parameters.length] = RateLimitedException.class;
    for (Class<?>[] expected : List.of(withException, parameters)) {
      for (Method candidate : named) {
        if (Arrays.equals(candidate.getParameterTypes(), expected)
            && limited.getReturnType().isAssignableFrom(candidate.getReturnType())
            && !candidate.equals(limited)) {
          return new FallbackMethod(candidate, expected == withException);
        }
      }
    }
    throw annotated.invalid(
        "fallback",
        name,
        named.isEmpty()
            ? "The class has no method of this name."
            : "No method of this name has the right parameters and return type: "
                + named.stream().map(FallbackMethod::signature).collect(Collectors.joining("; "))
                + ".",
        "Declare " + limited.getReturnType().getSimpleName() + " " + name + "("
            + types(parameters) + ") in " + annotated.type().getSimpleName()
            + ", optionally with a RateLimitedException as the last parameter.");
  }

  /** All methods of a class, most specific first, with those of its superclasses and interfaces. */
  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type))
        .filter(method -> !method.isBridge());
  }

  @Nullable
  Object invoke(@Nullable Object target, @Nullable Object[] args, RateLimitedException denial)
      throws Throwable {
    @Nullable Object[] all = args;
    if (takesException) {
      all = Arrays.copyOf(args, args.length + 1);
      all[args.length] = denial;
    }
    try {
      return method.invoke(target, all);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static String signature(Method method) {
    return method.getReturnType().getSimpleName() + " " + method.getName() + "("
        + types(method.getParameterTypes()) + ")";
  }

  static String types(Class<?>[] parameters) {
    return Arrays.stream(parameters).map(Class::getSimpleName).collect(Collectors.joining(", "));
  }
}
