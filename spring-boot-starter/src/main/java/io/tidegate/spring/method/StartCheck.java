package io.tidegate.spring.method;

import io.tidegate.spring.TidegateConfigurationException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;

/**
 * Checks the annotations of all beans when the application starts, also of beans that are created
 * later, and that nothing keeps Spring from intercepting their calls. Logs a line for each limited
 * method.
 */
final class StartCheck implements SmartInitializingSingleton {

  private static final Log LOG = LogFactory.getLog(RateLimited.class);

  private final MethodLimits limits;
  private final ConfigurableListableBeanFactory beans;

  StartCheck(MethodLimits limits, ConfigurableListableBeanFactory beans) {
    this.limits = limits;
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    Map<String, LimitedMethod> lines = new TreeMap<>();
    for (String bean : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = ScopedProxyUtils.isScopedTarget(bean)
          ? beans.getType(bean, false)
          : AutoProxyUtils.determineTargetClass(beans, bean);
      if (type != null && RateLimitedAdvisor.mayBeLimited(type)) {
        Map<Method, LimitedMethod> methods =
            MethodIntrospector.selectMethods(type, (Method method) -> limits.find(method, type));
        if (!methods.isEmpty()) {
          checkIntercepted(bean, type);
        }
        methods.values().forEach(method -> lines.put(method.toString(), method));
      }
    }
    lines.keySet().forEach(line -> LOG.info(line + "."));
  }

  /**
   * Beans that are created while the container starts, such as post-processors, have no proxies.
   */
  private void checkIntercepted(String bean, Class<?> type) {
    if (!beans.containsSingleton(bean) || beans.isFactoryBean(bean)) {
      return; // created later, or by a factory whose product is intercepted
    }
    if (!(beans.getBean(bean) instanceof Advised proxy && limits.isLimited(proxy))) {
      throw new TidegateConfigurationException(
          "@RateLimited on " + type.getName(),
          null,
          "The bean \"" + bean
              + "\" was created before Spring intercepts calls, or is excluded from"
              + " it, so the limit would never apply.",
          "Do not use the bean in a BeanPostProcessor or BeanFactoryPostProcessor, or move the"
              + " annotated methods to another bean.");
    }
  }
}
