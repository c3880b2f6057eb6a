package io.tidegate.spring;

import io.tidegate.rules.web.KeyFunction;
import io.tidegate.rules.web.WebRequest;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * What the expressions of an application can use.
 *
 * @param rootType the class of the names
 * @param root creates the names for a request
 * @param address finds the address of the client, which is the key of rules without an expression
 * @param beans the beans of the application
 */
record ExpressionScope(
    Class<? extends RequestRoot> rootType,
    Function<WebRequest, RequestRoot> root,
    KeyFunction address,
    ListableBeanFactory beans) {

  static ExpressionScope of(
      Class<? extends RequestRoot> rootType,
      BiFunction<WebRequest, KeyFunction, RequestRoot> root,
      TidegateProperties properties,
      ListableBeanFactory beans) {
    if (properties.trustedProxies() < 0) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + ".trusted-proxies",
          Integer.toString(properties.trustedProxies()),
          "The number of proxies must not be negative.",
          "Set the number of proxies that each request passes, or 0 if clients connect directly.");
    }
    KeyFunction address = KeyFunction.clientAddress(properties.trustedProxies());
    return new ExpressionScope(rootType, request -> root.apply(request, address), address, beans);
  }
}
