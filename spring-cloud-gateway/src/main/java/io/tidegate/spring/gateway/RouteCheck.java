package io.tidegate.spring.gateway;

import io.tidegate.spring.TidegateConfigurationException;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;

/**
 * Checks the limits of all routes in the properties before the application starts: the gateway
 * loads routes later, logs what is wrong, and then answers 404.
 */
final class RouteCheck implements SmartInitializingSingleton {

  private final ObjectProvider<GatewayProperties> properties;

  /**
   * Creates a check.
   *
   * @param properties empty if the gateway is disabled
   */
  RouteCheck(ObjectProvider<GatewayProperties> properties) {
    this.properties = properties;
  }

  @Override
  public void afterSingletonsInstantiated() {
    properties.ifAvailable(RouteCheck::check);
  }

  private static void check(GatewayProperties properties) {
    check(GatewayProperties.PREFIX + ".default-filters", properties.getDefaultFilters());
    for (int i = 0; i < properties.getRoutes().size(); i++) {
      check(
          GatewayProperties.PREFIX + ".routes[" + i + "].filters",
          properties.getRoutes().get(i).getFilters());
    }
  }

  private static void check(String path, List<FilterDefinition> filters) {
    for (int i = 0; i < filters.size(); i++) {
      check(path + "[" + i + "].args", filters.get(i));
    }
  }

  private static void check(String path, FilterDefinition filter) {
    RouteArguments arguments = new RouteArguments(path, filter.getArgs());
    boolean forThisLimiter =
        arguments.arePresent() || !filter.getArgs().containsKey("rate-limiter");
    if (!filter.getName().equals("RequestRateLimiter")) {
      if (arguments.arePresent()) {
        throw new TidegateConfigurationException(
            path,
            null,
            "The filter " + filter.getName() + " has the arguments of a limit and ignores them.",
            "Use the filter RequestRateLimiter.");
      }
    } else if (forThisLimiter && !arguments.haveExpressions()) {
      arguments.read();
    }
  }
}
