package io.tidegate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidegate.spring.TidegateConfigurationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.ConnectableFlux;

/** Annotations that would limit nothing stop the start, with a message that says what to do. */
class RateLimitedStartTest {

  private static final String CLASS = RateLimitedStartTest.class.getName();

  @Test
  void expressionThatDoesNotParse() {
    TidegateConfigurationException failure = failureOf(BadSyntax.class);
    assertThat(failure.property())
        .isEqualTo("@RateLimited(key) on " + CLASS + "$BadSyntax.call(String)");
    assertThat(failure.value()).isEqualTo("#user +");
    assertThat(failure.reason()).startsWith("It is not a valid SpEL expression: ");
    assertThat(failure.action())
        .isEqualTo("Write an expression such as #user; the arguments are #user, #p0.");
  }

  @Test
  void unknownArgument() {
    TidegateConfigurationException failure = failureOf(UnknownArgument.class);
    assertThat(failure.property()).startsWith("@RateLimited(key) on ");
    assertThat(failure.reason()).isEqualTo("#usr is not an argument of the method.");
    assertThat(failure.action()).isEqualTo("Use one of #user, #amount, #p0, #p1, #a0, #a1.");
  }

  @Test
  void argumentWithoutItsSign() {
    TidegateConfigurationException failure = failureOf(ForgottenSign.class);
    assertThat(failure.reason()).isEqualTo("user is none of args, method, principal, target.");
    assertThat(failure.action()).isEqualTo("Put # before the name of an argument: #user.");
  }

  @Test
  void namesInNestedExpressions() {
    assertThat(failureOf(NestedArgument.class).reason())
        .isEqualTo("#usr is not an argument of the method.");
    assertThat(failureOf(MethodOfNothing.class).reason())
        .isEqualTo("tenantOf(...) is a method of no bean or argument.");
    assertThat(failureOf(UnknownFunction.class).reason())
        .isEqualTo("#hash(#user) is not a known function.");
  }

  @Test
  void unknownBean() {
    TidegateConfigurationException failure = failureOf(UnknownBean.class);
    assertThat(failure.value()).isEqualTo("@tenants.of(#user)");
    assertThat(failure.reason()).isEqualTo("There is no bean named tenants.");
  }

  @Test
  void negativeLimit() {
    TidegateConfigurationException failure = failureOf(NegativeLimit.class);
    assertThat(failure.property()).startsWith("@RateLimited(limit) on ");
    assertThat(failure.value()).isEqualTo("-1");
    assertThat(failure.reason()).isEqualTo("Limit must be between 0 and 1000000000000: -1.");
  }

  @Test
  void invalidWindows() {
    TidegateConfigurationException failure = failureOf(UnknownUnit.class);
    assertThat(failure.property()).startsWith("@RateLimited(window) on ");
    assertThat(failure.value()).isEqualTo("1 minute");
    assertThat(failure.action()).startsWith("Set a number with a unit, such as 10s");
    assertThat(failureOf(ShortWindow.class).reason()).contains("between PT1S and PT8784H: PT0.06S");
  }

  @Test
  void invalidCosts() {
    assertThat(failureOf(CostOfNothing.class).property()).startsWith("@RateLimited(cost) on ");
    assertThat(failureOf(CostOfUnknown.class).reason())
        .isEqualTo("#size is not an argument of the method.");
  }

  @Test
  void invalidNames() {
    assertThat(failureOf(BlankName.class).property()).startsWith("@RateLimited(name) on ");
    assertThat(failureOf(SameName.class).reason())
        .isEqualTo("Another annotation of the method has the same name.");
  }

  @Test
  void fallbackThatDoesNotExist() {
    TidegateConfigurationException failure = failureOf(MissingFallback.class);
    assertThat(failure.property()).startsWith("@RateLimited(fallback) on ");
    assertThat(failure.value()).isEqualTo("later");
    assertThat(failure.reason()).isEqualTo("The class has no method of this name.");
    assertThat(failure.action())
        .isEqualTo("Declare String later(String) in MissingFallback, optionally with a"
            + " RateLimitedException as the last parameter.");
  }

  @Test
  void fallbackWithAnotherSignature() {
    assertThat(failureOf(WrongFallback.class).reason())
        .startsWith("No method of this name has the right parameters and return type: ")
        .contains("String later()", "Integer later(String)");
    assertThat(failureOf(OwnFallback.class).property()).startsWith("@RateLimited(fallback) on ");
  }

  @Test
  void methodsThatNoProxyIntercepts() {
    assertThat(failureOf(PrivateMethod.class).reason()).startsWith("The method is private, so ");
    assertThat(failureOf(FinalMethod.class).reason()).startsWith("The method is final, so ");
    assertThat(failureOf(StaticMethod.class).reason()).startsWith("The method is static, so ");
    assertThat(failureOf(ClassWithFinalMethod.class).property())
        .isEqualTo("@RateLimited on " + CLASS + "$ClassWithFinalMethod.call()");
  }

  @Test
  void finalClass() {
    assertThat(catchThrowable(() -> start(FinalClass.class).close()))
        .hasStackTraceContaining("FinalClass");
  }

  @Test
  void resultsThatCannotBeReplaced() {
    assertThat(failureOf(HotPublisher.class).action()).isEqualTo("Return Flux instead.");
    assertThat(failureOf(OwnFuture.class).action()).isEqualTo("Return CompletableFuture instead.");
  }

  @Test
  void beansThatAreCreatedLater() {
    assertThat(failureOf(LazyBean.class).reason()).startsWith("#usr is not");
    assertThat(failureOf(PrototypeBean.class).reason()).startsWith("#usr is not");
  }

  @Test
  void beanThatIsCreatedBeforeCallsAreIntercepted() {
    assertThat(failureOf(EarlyBean.class).reason())
        .startsWith("The bean \"early\" was created before Spring intercepts calls");
  }

  @Test
  void startsWithoutTheAutoProxyOfBoot() {
    try (ConfigurableApplicationContext application =
        start(Valid.class, "--spring.aop.auto=false")) {
      assertThat(RateLimitedTest.allowed(5, application.getBean(Valid.class)::call))
          .isOne();
    }
  }

  @Test
  void limitsNothingIfDisabled() {
    assertThatCode(() -> {
          try (ConfigurableApplicationContext application =
              start(Valid.class, "--tidegate.enabled=false")) {
            application.getBean(Valid.class).call();
            application.getBean(Valid.class).call();
          }
        })
        .doesNotThrowAnyException();
  }

  private static TidegateConfigurationException failureOf(Class<?> bean) {
    Throwable failure = catchThrowable(() -> start(bean).close());
    while (failure != null && !(failure instanceof TidegateConfigurationException)) {
      failure = failure.getCause();
    }
    assertThat(failure).describedAs("the start with " + bean).isNotNull();
    return (TidegateConfigurationException) failure;
  }

  private static ConfigurableApplicationContext start(Class<?> bean, String... args) {
    return new SpringApplicationBuilder(Application.class, bean)
        .web(WebApplicationType.NONE)
        .properties("spring.main.banner-mode=off", "logging.level.root=off", "test.minimal=true")
        .run(args);
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  static class Valid {
    @RateLimited(name = "valid", limit = 1)
    public void call() {}
  }

  static class BadSyntax {
    @RateLimited(name = "x", key = "#user +", limit = 1)
    public void call(String user) {}
  }

  static class UnknownArgument {
    @RateLimited(name = "x", key = "#usr", limit = 1)
    public void call(String user, int amount) {}
  }

  static class ForgottenSign {
    @RateLimited(name = "x", key = "user", limit = 1)
    public void call(String user) {}
  }

  static class NestedArgument {
    @RateLimited(name = "x", key = "#user.concat({1, 2}.![#this + #usr].toString())", limit = 1)
    public void call(String user) {}
  }

  static class MethodOfNothing {
    @RateLimited(name = "x", key = "tenantOf(#user)", limit = 1)
    public void call(String user) {}
  }

  static class UnknownFunction {
    @RateLimited(name = "x", key = "#hash(#user)", limit = 1)
    public void call(String user) {}
  }

  static class UnknownBean {
    @RateLimited(name = "x", key = "@tenants.of(#user)", limit = 1)
    public void call(String user) {}
  }

  static class NegativeLimit {
    @RateLimited(name = "x", limit = -1)
    public void call() {}
  }

  static class UnknownUnit {
    @RateLimited(name = "x", limit = 1, window = "1 minute")
    public void call() {}
  }

  static class ShortWindow {
    @RateLimited(name = "x", limit = 1, window = "60")
    public void call() {}
  }

  static class CostOfNothing {
    @RateLimited(name = "x", limit = 1, cost = "0")
    public void call() {}
  }

  static class CostOfUnknown {
    @RateLimited(name = "x", limit = 1, cost = "#size")
    public void call() {}
  }

  static class BlankName {
    @RateLimited(name = " ", limit = 1)
    public void call() {}
  }

  static class SameName {
    @RateLimited(name = "x", limit = 1)
    @RateLimited(name = "x", limit = 10, window = "1h")
    public void call() {}
  }

  static class MissingFallback {
    @RateLimited(name = "x", limit = 1, fallback = "later")
    public String call(String user) {
      return "";
    }
  }

  static class WrongFallback {
    @RateLimited(name = "x", limit = 1, fallback = "later")
    public String call(String user) {
      return "";
    }

    String later() {
      return "";
    }

    Integer later(String user) {
      return 1;
    }
  }

  static class OwnFallback {
    @RateLimited(name = "x", limit = 1, fallback = "call")
    public void call() {}
  }

  static class PrivateMethod {
    @RateLimited(name = "x", limit = 1)
    @SuppressWarnings("UnusedMethod") // the annotation is what matters
    private void call() {}
  }

  static class FinalMethod {
    @RateLimited(name = "x", limit = 1)
    public final void call() {}
  }

  static class StaticMethod {
    @RateLimited(name = "x", limit = 1)
    public static void call() {}
  }

  @RateLimited(name = "x", limit = 1)
  static class ClassWithFinalMethod {
    public final void call() {}
  }

  static final class FinalClass {
    @RateLimited(name = "x", limit = 1)
    public void call() {}
  }

  static class HotPublisher {
    @RateLimited(name = "x", limit = 1)
    public ConnectableFlux<String> call() {
      throw new AssertionError();
    }
  }

  static class Promise extends CompletableFuture<String> {}

  static class OwnFuture {
    @RateLimited(name = "x", limit = 1)
    public Promise call() {
      return new Promise();
    }
  }

  @Lazy
  static class LazyBean extends UnknownArgument {}

  @Scope(BeanDefinition.SCOPE_PROTOTYPE)
  static class PrototypeBean extends UnknownArgument {}

  static class FirstProcessor implements BeanPostProcessor, PriorityOrdered {
    @Override
    public int getOrder() {
      return HIGHEST_PRECEDENCE;
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class EarlyBean {

    @Bean
    static Valid early() {
      return new Valid();
    }

    @Bean
    static FirstProcessor processor(Valid early) {
      return new FirstProcessor();
    }
  }
}
