package io.tidegate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObserverPairTest {

  private final List<String> received = new ArrayList<>();
  private final LimiterObserver first = recording("first");
  private final LimiterObserver second = recording("second");
  private final LimiterObserver throwing = proxy((self, method, arguments) -> {
    received.add("throwing " + method.getName());
    throw new IllegalStateException("thrown by a test");
  });

  static Stream<Method> events() {
    return Stream.of(LimiterObserver.class.getMethods())
        .filter(method -> method.getReturnType() == void.class);
  }

  @ParameterizedTest
  @MethodSource("events")
  void bothReceiveEveryEventInOrder(Method event) throws Exception {
    Object[] arguments = arguments(event);
    event.invoke(new ObserverPair(first, second), arguments);

    String call = event.getName() + Arrays.toString(arguments);
    assertThat(received).containsExactly("first " + call, "second " + call);
  }

  @ParameterizedTest
  @MethodSource("events")
  void secondReceivesAnEventThatTheFirstFailedOn(Method event) {
    assertThatThrownBy(() -> event.invoke(new ObserverPair(throwing, second), arguments(event)))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .hasMessage("thrown by a test");

    assertThat(received).hasSize(2);
  }

  @Test
  void noneAddsNothing() {
    LimiterObserver observer = new LimiterObserver() {};

    assertThat(observer.andThen(LimiterObserver.NONE)).isSameAs(observer);
    assertThat(LimiterObserver.NONE.andThen(observer)).isSameAs(observer);
    assertThat(LimiterObserver.NONE.andThen(LimiterObserver.NONE)).isSameAs(LimiterObserver.NONE);
  }

  @Test
  void severalObserversAreCombined() {
    List<String> order = new ArrayList<>();
    class Named implements LimiterObserver {
      private final String name;

      Named(String name) {
        this.name = name;
      }

      @Override
      public void originLostCounts() {
        order.add(name);
      }
    }
    new Named("a").andThen(new Named("b")).andThen(new Named("c")).originLostCounts();

    assertThat(order).containsExactly("a", "b", "c");
  }

  /** Different numbers, so that swapped arguments are found. */
  private static Object[] arguments(Method event) {
    Object[] arguments = new Object[event.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = event.getParameterTypes()[i];
      if (type == long.class) {
        arguments[i] = (long) i;
      } else if (type == int.class) {
        arguments[i] = i;
      } else if (type == String.class) {
        arguments[i] = "text " + i;
      } else if (type.isEnum()) {
        arguments[i] = type.getEnumConstants()[i];
      }
    }
    return arguments;
  }

  private LimiterObserver recording(String name) {
    return proxy((self, method, arguments) -> {
      received.add(name + " " + method.getName() + Arrays.toString(orEmpty(arguments)));
      return null;
    });
  }

  private static Object[] orEmpty(Object[] arguments) {
    return arguments == null ? new Object[0] : arguments;
  }

  private static LimiterObserver proxy(InvocationHandler handler) {
    return (LimiterObserver) Proxy.newProxyInstance(
        LimiterObserver.class.getClassLoader(), new Class<?>[] {LimiterObserver.class}, handler);
  }
}
