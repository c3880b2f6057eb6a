package io.tidegate.server.config;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reader of the settings among the environment variables. */
final class Environment {

  /** Read by the script and by client commands. */
  private static final Set<String> NOT_SETTINGS =
      Set.of("TIDEGATE_ADMIN_URL", "TIDEGATE_JAVA_HOME", "TIDEGATE_ROOT_KEY", "TIDEGATE_URL");

  /**
   * Variables that Kubernetes sets for a service called {@code tidegate} or {@code tidegate-admin}:
   * {@code TIDEGATE_PORT=tcp://10.0.0.1:8080}. Some have the name of a setting, so the pattern
   * includes the value.
   */
  private static final Pattern OF_KUBERNETES = Pattern.compile("TIDEGATE_(\\w+_)?("
      + "SERVICE_HOST=[0-9a-fA-F.:]+"
      + "|SERVICE_PORT(_\\w+)?=\\d+"
      + "|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.+"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_PROTO=(tcp|udp|sctp)"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_PORT=\\d+"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_ADDR=[0-9a-fA-F.:]+)");

  private Environment() {}

  /** Returns the settings of the variables, and adds unknown ones to the problems. */
  static Map<Setting, SettingValue> read(
      Map<String, String> variables, Collection<String> problems) {
    Map<Setting, SettingValue> settings = new EnumMap<>(Setting.class);
    new TreeMap<>(variables).forEach((name, value) -> {
      // Empty variables are not set: Docker Compose passes them for values that are missing.
      if (!name.startsWith(Setting.ENVIRONMENT_PREFIX)
          || value.isEmpty()
          || NOT_SETTINGS.contains(name)
          || isOfKubernetes(name, value)) {
        return;
      }
      Setting.ofEnvironmentName(name)
          .ifPresentOrElse(
              setting -> settings.put(setting, new SettingValue(value, name)),
              () -> problems.add(
                  "unknown environment variable " + SafeText.text(name) + suggestion(name)));
    });
    return settings;
  }

  private static String suggestion(String name) {
    return Similar.nearest(name.substring(Setting.ENVIRONMENT_PREFIX.length()), Setting.names())
        .map(nearest -> Similar.question(Setting.ENVIRONMENT_PREFIX + nearest))
        .orElse("");
  }

  /** Returns the names of the variables that Kubernetes has set. */
  static List<String> ofKubernetes(Map<String, String> variables) {
    return new TreeMap<>(variables)
        .entrySet().stream()
            .filter(variable -> isOfKubernetes(variable.getKey(), variable.getValue()))
            .map(Map.Entry::getKey)
            .toList();
  }

  private static boolean isOfKubernetes(String name, String value) {
    return OF_KUBERNETES.matcher(name + "=" + value).matches();
  }
}
