package io.tidegate.jaxrs;

import jakarta.ws.rs.container.ResourceInfo;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the names in the {@link RateLimited} annotations of a resource method. */
final class RuleNames {

  private RuleNames() {}

  static Set<String> of(ResourceInfo resource) {
    Set<String> names = new LinkedHashSet<>();
    collect(resource.getResourceClass(), resource.getResourceMethod(), names);
    return names;
  }

  /** Also from superclasses and interfaces, as JAX-RS does with its own annotations. */
  private static void collect(@Nullable Class<?> type, Method method, Set<String> names) {
    if (type == null) {
      return;
    }
    add(type.getDeclaredAnnotation(RateLimited.class), names);
    for (Method declared : type.getDeclaredMethods()) {
      if (declared.getName().equals(method.getName())
          && Arrays.equals(declared.getParameterTypes(), method.getParameterTypes())) {
        add(declared.getDeclaredAnnotation(RateLimited.class), names);
      }
    }
    collect(type.getSuperclass(), method, names);
    for (Class<?> implemented : type.getInterfaces()) {
      collect(implemented, method, names);
    }
  }

  private static void add(@Nullable RateLimited annotation, Set<String> names) {
    if (annotation != null) {
      if (annotation.value().length == 0) {
        throw new IllegalArgumentException("@RateLimited must name a rule");
      }
      names.addAll(List.of(annotation.value()));
    }
  }
}
