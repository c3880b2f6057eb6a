package io.tidegate.spring;

import io.tidegate.spring.TidegateProperties.RuleOrder;
import org.springframework.core.env.Environment;

/** The positions of the filters of rules relative to that of Spring Security. */
final class SecurityOrder {

  /** The position of Spring Security's filter in MVC, by default, and in WebFlux, always. */
  private static final int DEFAULT = -100;

  private SecurityOrder() {}

  /** The position in an application with MVC, where a property can move Spring Security. */
  static int servlet(RuleOrder order, Environment environment) {
    int security = environment.getProperty("spring.security.filter.order", Integer.class, DEFAULT);
    return beside(security, order);
  }

  /** The position in an application with WebFlux. */
  static int reactive(RuleOrder order) {
    return beside(DEFAULT, order);
  }

  private static int beside(int security, RuleOrder order) {
    return order == RuleOrder.BEFORE_SECURITY ? security - 1 : security + 1;
  }
}
