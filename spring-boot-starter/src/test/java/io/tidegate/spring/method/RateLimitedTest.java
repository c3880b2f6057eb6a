package io.tidegate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.model.Decision;
import io.tidegate.model.Limit;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.web.LimitProvider;
import io.tidegate.spring.test.AutoConfigureTidegate;
import io.tidegate.testing.VirtualTime;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/** Limits of methods that block, in an application without a web server. */
class RateLimitedTest {

  private static ConfigurableApplicationContext application;
  private static VirtualTime time;
  private static Orders orders;

  @BeforeAll
  static void start() {
    application = new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .run("--spring.main.banner-mode=off");
    time = application.getBean(VirtualTime.class);
    orders = application.getBean(Orders.class);
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void limitsEachKeyByItself() {
    assertThat(allowed(5, () -> orders.place("ann", 1))).isEqualTo(3);
    assertThat(allowed(5, () -> orders.place("bob", 1))).isEqualTo(3);
  }

  @Test
  void doesNotCallDeniedMethods() {
    int before = orders.placed();
    allowed(10, () -> orders.place("eve", 1));
    assertThat(orders.placed() - before).isEqualTo(3);
  }

  @Test
  void allowsCallsAgainAfterTheExactWait() {
    allowed(3, () -> orders.place("dan", 1));
    RateLimitedException denial = denial(() -> orders.place("dan", 1));
    Duration wait = denial.retryAfter().orElseThrow();
    time.advance(wait.minusMillis(1));
    assertThat(allowed(1, () -> orders.place("dan", 1))).isZero();
    time.advance(Duration.ofMillis(1));
    assertThat(allowed(1, () -> orders.place("dan", 1))).isOne();
  }

  @Test
  void admitsExactlyTheLimitOfConcurrentCalls() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(50);
    try {
      List<Callable<Integer>> callers =
          java.util.Collections.nCopies(50, () -> allowed(10, () -> orders.upload("all of them")));
      int sum = 0;
      for (Future<Integer> allowed : threads.invokeAll(callers)) {
        sum += allowed.get();
      }
      assertThat(sum).isEqualTo(100);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void exceptionHasTheDecisionAndNamesMethodAndLimit() {
    allowed(3, () -> orders.place("kim", 1));
    RateLimitedException denial = denial(() -> orders.place("kim", 1));
    assertThat(denial.decision().allowed()).isFalse();
    assertThat(denial.decision().limit()).isEqualTo(3);
    assertThat(denial.decisions()).extracting(PolicyDecision::policy).containsExactly("orders");
    assertThat(denial)
        .hasMessageStartingWith(
            "limit \"orders\" of 3 per PT1M is used up, Orders.place was not called; retry after ");
    assertThat(denial.getStackTrace()).isEmpty();
  }

  @Test
  void limitOfZeroDeniesAllCallsForGood() {
    RateLimitedException denial = denial(orders::closed);
    assertThat(denial.decision().retryAfterMillis()).isEqualTo(Decision.NEVER);
    assertThat(denial).hasMessageEndingWith("waiting does not help");
  }

  @Test
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    assertThat(allowed(5, () -> orders.search("ann", "acme"))).isEqualTo(2); // per user
    assertThat(allowed(5, () -> orders.search("bob", "acme"))).isEqualTo(2);
    assertThat(allowed(5, () -> orders.search("cat", "acme"))).isOne(); // 5 per tenant
    assertThat(denial(() -> orders.search("cat", "acme")).decisions())
        .extracting(PolicyDecision::policy, each -> each.decision().allowed())
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("per user", true),
            org.assertj.core.api.Assertions.tuple("per tenant", false));
    assertThat(allowed(5, () -> orders.search("cat", "globex"))).isOne(); // was charged once
  }

  @Test
  void annotationOfAClassLimitsItsPublicMethodsTogether() {
    Catalog catalog = application.getBean(Catalog.class);
    assertThat(allowed(1, catalog::first)).isOne();
    assertThat(allowed(1, catalog::second)).isOne();
    assertThat(allowed(1, catalog::inherited)).isOne();
    assertThat(allowed(1, catalog::first)).isZero();
    assertThat(allowed(1, catalog::second)).isZero();
    assertThat(allowed(1, catalog::inherited)).isZero();
    assertThatCode(catalog::toString).doesNotThrowAnyException();
    assertThatCode(catalog::notPublic).doesNotThrowAnyException();
    assertThat(allowed(9, catalog::own)).isEqualTo(5); // has a limit of its own
  }

  @Test
  void annotationOfAnOverridingMethodReplacesTheInheritedOne() {
    assertThat(allowed(9, application.getBean(Catalog.class)::overridden)).isEqualTo(6);
  }

  @Test
  void composedAnnotationsPassTheirAttributesOn() {
    assertThat(allowed(9, () -> orders.composed("ann"))).isEqualTo(4);
    assertThat(allowed(9, () -> orders.composed("bob"))).isEqualTo(4);
  }

  @Test
  void keysUseArgumentsBeansAndTheMethod() {
    assertThat(allowed(3, () -> orders.byPosition("a"))).isOne();
    assertThat(allowed(3, () -> orders.byPosition("b"))).isOne();
    assertThat(allowed(3, () -> orders.byBean("ann@acme"))).isOne();
    assertThat(allowed(3, () -> orders.byBean("bob@acme"))).isZero();
    assertThat(allowed(3, () -> orders.byBean("bob@globex"))).isOne();
    assertThat(allowed(3, () -> orders.byMethod(Map.of("id", "a")))).isOne();
    assertThat(allowed(3, () -> orders.byMethod(Map.of("id", "b")))).isOne();
    assertThat(allowed(3, () -> orders.byElements(List.of(Optional.of("x"))))).isOne();
    assertThat(allowed(3, () -> orders.byElements(List.of(Optional.of("y"))))).isOne();
    assertThat(allowed(3, () -> orders.byOptional(Optional.of("x")))).isOne();
  }

  @Test
  void callsWithoutAUsableKeyShareOneCount() {
    assertThat(allowed(2, () -> orders.optional(null))).isEqualTo(2);
    assertThat(allowed(2, () -> orders.optional("  "))).isOne();
    assertThat(allowed(2, () -> orders.optional(new byte[1]))).isZero(); // no text of its own
    assertThat(allowed(2, () -> orders.optional(new Object()))).isZero();
    assertThat(allowed(2, () -> orders.optional(new Failing()))).isZero();
    assertThat(allowed(2, () -> orders.optional(7))).isEqualTo(2);
    assertThat(allowed(9, () -> orders.byOptional(Optional.empty()))).isOne();
  }

  @Test
  void callsOfAMethodWithoutAKeyShareOneCount() {
    assertThat(allowed(2, () -> orders.keyless("ann"))).isEqualTo(2);
    assertThat(allowed(2, () -> orders.keyless("bob"))).isOne();
  }

  @Test
  void costIsANumberOrAnExpression() {
    assertThat(allowed(5, () -> orders.heavy())).isEqualTo(2); // 4 of 10 each
    assertThat(allowed(1, () -> orders.batch(List.of(1, 2, 3)))).isOne();
    assertThat(allowed(1, () -> orders.batch(List.of(1, 2, 3)))).isZero(); // 6 of 5
    assertThat(allowed(1, () -> orders.batch(List.of(1, 2)))).isOne();
  }

  @Test
  void limitProviderReplacesTheLimitOfAKey() {
    assertThat(allowed(20, () -> orders.place("premium", 1))).isEqualTo(12);
  }

  @Test
  void fallbackAnswersDeniedCalls() {
    assertThat(orders.withFallback("ann", 1)).isEqualTo("placed");
    assertThat(orders.withFallback("ann", 2)).isEqualTo("later: ann 2");
    assertThat(orders.withExplainedFallback("ann")).isEqualTo("placed");
    assertThat(orders.withExplainedFallback("ann")).isEqualTo("ann waits for explained");
  }

  @Test
  void exceptionsOfFallbacksReachTheCaller() throws Exception {
    orders.withFailingFallback();
    assertThatThrownBy(orders::withFailingFallback)
        .isInstanceOf(java.io.IOException.class)
        .hasMessage("of the fallback");
  }

  @Test
  void fallbackOfTheFirstDenialIsCalled() {
    assertThat(orders.withTwoFallbacks("a")).isEqualTo("placed");
    assertThat(orders.withTwoFallbacks("a")).isEqualTo("first");
    assertThat(orders.withTwoFallbacks("b")).isEqualTo("placed");
    assertThat(orders.withTwoFallbacks("c")).isEqualTo("second");
    assertThat(orders.withTwoFallbacks("a")).isEqualTo("first");
  }

  @Test
  void firstDenialWithoutAFallbackThrows() {
    assertThat(orders.withOneFallback()).isEqualTo("placed");
    assertThat(denial(orders::withOneFallback).decisions())
        .noneMatch(each -> each.decision().allowed());
  }

  @Test
  void annotationsOfInterfacesApplyToObjectsOfFactories() {
    Remote remote = application.getBean(Remote.class);
    assertThat(Proxy.isProxyClass(remote.getClass())).isTrue();
    assertThat(allowed(5, () -> remote.fetch("ann"))).isEqualTo(2);
    assertThat(allowed(5, () -> remote.fetch("bob"))).isEqualTo(2);
    assertThat(allowed(5, remote::unlimited)).isEqualTo(5);
  }

  @Test
  void beanThatABeanMethodReturnsAgainIsChargedOnce() {
    Orders again = application.getBean("again", Orders.class);
    assertThat(allowed(9, () -> again.place("zoe", 1))).isEqualTo(3);
  }

  @Test
  void callsWithinTheClassAreNotLimited() {
    assertThat(allowed(9, () -> orders.callsItself("self"))).isEqualTo(9);
  }

  @Test
  void protectedMethodsAreLimited() {
    assertThat(allowed(9, () -> orders.guarded())).isOne();
  }

  static int allowed(int calls, ThrowingCall call) {
    int allowed = 0;
    for (int i = 0; i < calls; i++) {
      try {
        call.run();
        allowed++;
      } catch (RateLimitedException expected) {
        // counted by its absence
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return allowed;
  }

  static RateLimitedException denial(ThrowingCall call) {
    try {
      call.run();
    } catch (RateLimitedException e) {
      return e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("the call was allowed");
  }

  interface ThrowingCall {
    void run() throws Exception;
  }

  static final class Failing {
    @Override
    public String toString() {
      throw new IllegalStateException("no text");
    }
  }

  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @RateLimited(name = "composed", limit = 4)
  @interface PerUser {

    @AliasFor(annotation = RateLimited.class)
    String key();
  }

  static class Orders {

    private final AtomicInteger placed = new AtomicInteger();

    public int placed() {
      return placed.get();
    }

    @RateLimited(name = "orders", key = "#userId", limit = 3)
    public String place(String userId, int amount) {
      placed.addAndGet(amount);
      return "placed";
    }

    @RateLimited(name = "uploads", key = "#user", limit = 100, window = "PT1H")
    public void upload(String user) {}

    @RateLimited(name = "closed", limit = 0)
    public void closed() {}

    @RateLimited(name = "per user", key = "#user", limit = 2)
    @RateLimited(name = "per tenant", key = "#tenant", limit = 5, window = "1h")
    public void search(String user, String tenant) {}

    @PerUser(key = "#user")
    public void composed(String user) {}

    @RateLimited(name = "by position", key = "#p0", limit = 1)
    public void byPosition(String first) {}

    @RateLimited(name = "by bean", key = "@tenants.of(#user)", limit = 1)
    public void byBean(String user) {}

    @RateLimited(
        name = "by method",
        key = "#root.method.name + args.length + #map[id] + method.name",
        limit = 1)
    public void byMethod(Map<String, String> map) {}

    @RateLimited(name = "by elements", key = "#list.![get()]", limit = 1)
    public void byElements(List<Optional<String>> list) {}

    @RateLimited(name = "by optional", key = "#id", limit = 1)
    public void byOptional(Optional<String> id) {}

    @RateLimited(name = "optional", key = "#key", limit = 3)
    public void optional(Object key) {}

    @RateLimited(name = "keyless", limit = 3)
    public void keyless(String user) {}

    @RateLimited(name = "heavy", limit = 10, cost = "4")
    public void heavy() {}

    @RateLimited(name = "batch", limit = 5, cost = "#items.size()")
    public void batch(List<Integer> items) {}

    @RateLimited(name = "with fallback", limit = 1, fallback = "later")
    public String withFallback(String user, int amount) {
      return "placed";
    }

    @SuppressWarnings("UnusedMethod") // called by reflection
    private String later(String user, int amount) {
      return "later: " + user + " " + amount;
    }

    @RateLimited(name = "explained", limit = 1, fallback = "explain")
    public CharSequence withExplainedFallback(String user) {
      return "placed";
    }

    String explain(String user) {
      return "less specific";
    }

    String explain(String user, RateLimitedException denial) {
      return user + " waits for " + denial.decisions().get(0).policy();
    }

    @RateLimited(name = "failing fallback", limit = 1, fallback = "fail")
    public void withFailingFallback() throws java.io.IOException {}

    void fail() throws java.io.IOException {
      throw new java.io.IOException("of the fallback");
    }

    @RateLimited(name = "first", key = "#user", limit = 1, fallback = "first")
    @RateLimited(name = "second", limit = 2, fallback = "second")
    public String withTwoFallbacks(String user) {
      return "placed";
    }

    @RateLimited(name = "without", limit = 1)
    @RateLimited(name = "with", limit = 1, fallback = "instead")
    public String withOneFallback() {
      return "placed";
    }

    String instead() {
      return "instead";
    }

    String first(String user) {
      return "first";
    }

    String second(String user) {
      return "second";
    }

    public void callsItself(String user) {
      place(user, 1);
    }

    @RateLimited(name = "protected", limit = 1)
    protected void guarded() {}
  }

  static class Shelf {
    public void inherited() {}

    @RateLimited(name = "inherited", limit = 2)
    public void overridden() {}
  }

  @RateLimited(name = "catalog", limit = 3)
  static class Catalog extends Shelf {
    public void first() {}

    public void second() {}

    @Override
    @RateLimited(name = "overriding", limit = 6)
    public void overridden() {}

    void notPublic() {}

    @RateLimited(name = "own", limit = 5)
    public void own() {}
  }

  static class Tenants {
    public String of(String user) {
      return user.substring(user.indexOf('@'));
    }
  }

  interface Remote {

    @RateLimited(name = "remote", key = "#p0", limit = 2)
    String fetch(String user);

    String unlimited();
  }

  static class RemoteFactory implements FactoryBean<Remote> {

    @Override
    public Remote getObject() {
      return (Remote) Proxy.newProxyInstance(
          Remote.class.getClassLoader(),
          new Class<?>[] {Remote.class},
          (proxy, method, args) -> method.getName());
    }

    @Override
    public Class<?> getObjectType() {
      return Remote.class;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @AutoConfigureTidegate
  @Import({Orders.class, Catalog.class, RemoteFactory.class})
  static class Application {

    @Bean
    Tenants tenants() {
      return new Tenants();
    }

    @Bean
    LimitProvider plans() {
      return (rule, key) -> key.equals("premium") ? Limit.perMinute(12) : null;
    }

    @Bean(autowireCandidate = false)
    Orders again(Orders orders) {
      return orders;
    }
  }
}
