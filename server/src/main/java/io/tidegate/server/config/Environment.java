package io.tidegate.server.config;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The settings among the environment variables. */
final class Environment {

  /** What the script and the clients read. */
  private static final Set<String> OF_OTHERS =
      Set.of("TIDEGATE_JAVA_HOME", "TIDEGATE_ROOT_KEY", "TIDEGATE_URL");

  /**
   * What Kubernetes tells all containers of a service called {@code tidegate}, or
   * {@code tidegate-admin}. {@code TIDEGATE_PORT} and {@code TIDEGATE_ADMIN_PORT} are told apart
   * from ours by their value.
   */
  private static final Pattern OF_KUBERNETES = Pattern.compile(
      "TIDEGATE_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)"
          + "|TIDEGATE_(\\w+_)?PORT=(tcp|udp|sctp)://.*");

  private Environment() {}

  /** What the variables set; what is wrong with them is added to the problems. */
  static Map<Setting, Given> read(Map<String, String> variables, Collection<String> problems) {
    Map<Setting, Given> settings = new EnumMap<>(Setting.class);
    new TreeMap<>(variables).forEach((name, value) -> {
      // An empty one is what a composed environment has for what nobody set.
      if (!name.startsWith(Setting.ENVIRONMENT_PREFIX)
          || value.isEmpty()
          || isOfOthers(name, value)) {
        return;
      }
      Setting.ofEnvironmentName(name)
          .ifPresentOrElse(
              setting -> settings.put(setting, new Given(value, name)),
              () -> problems.add(
                  "unknown environment variable " + Shown.text(name) + suggestion(name)));
    });
    return settings;
  }

  private static String suggestion(String name) {
    return Similar.nearest(name.substring(Setting.ENVIRONMENT_PREFIX.length()), Setting.names())
        .map(nearest -> Similar.question(Setting.ENVIRONMENT_PREFIX + nearest))
        .orElse("");
  }

  private static boolean isOfOthers(String name, String value) {
    return OF_OTHERS.contains(name)
        || OF_KUBERNETES.matcher(name).matches()
        || OF_KUBERNETES.matcher(name + "=" + value).matches();
  }
}
