package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spi.LimiterObserver;
import io.tidegate.testing.VirtualTime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SafeObserverTest {

  private final List<String> received = new ArrayList<>();
  private final LimiterObserver throwing = proxy((self, method, arguments) -> {
    received.add(method.getName());
    throw new AssertionError("thrown by a test");
  });
  private final LimiterObserver safe =
      SafeObserver.of(throwing, VirtualTime.startingAt(Instant.EPOCH));

  static Stream<Method> events() {
    return Stream.of(LimiterObserver.class.getMethods())
        .filter(method -> method.getReturnType() == void.class);
  }

  @ParameterizedTest
  @MethodSource("events")
  void forwardsEveryEventAndCatchesExceptions(Method event) throws Exception {
    Object[] arguments = Stream.of(event.getParameterTypes())
        .map(type -> type == long.class ? (Object) 1L : type == int.class ? 1 : null)
        .toArray();
    event.invoke(safe, arguments);
    assertThat(received).containsExactly(event.getName());
  }

  private static LimiterObserver proxy(InvocationHandler handler) {
    return (LimiterObserver) Proxy.newProxyInstance(
        LimiterObserver.class.getClassLoader(), new Class<?>[] {LimiterObserver.class}, handler);
  }
}
