package io.tidegate.server.config;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
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
   * The variables that Kubernetes sets for a service called {@code tidegate}, or
   * {@code tidegate-admin}, with their values: {@code TIDEGATE_PORT=tcp://10.0.0.1:8080}. Several
   * have the name of a setting, or nearly; their values tell them apart.
   */
  private static final Pattern OF_KUBERNETES = Pattern.compile("TIDEGATE_(\\w+_)?("
      + "SERVICE_HOST=[0-9a-fA-F.:]+"
      + "|SERVICE_PORT(_\\w+)?=\\d+"
      + "|PORT(_\\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://.+"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_PROTO=(tcp|udp|sctp)"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_PORT=\\d+"
      + "|PORT_\\d+_(TCP|UDP|SCTP)_ADDR=[0-9a-fA-F.:]+)");

  private Environment() {}

  /** What the variables set; what is wrong with them is added to the problems. */
  static Map<Setting, Given> read(Map<String, String> variables, Collection<String> problems) {
    Map<Setting, Given> settings = new EnumMap<>(Setting.class);
    new TreeMap<>(variables).forEach((name, value) -> {
      // An empty one is what a composed environment has for what nobody set.
      if (!name.startsWith(Setting.ENVIRONMENT_PREFIX)
          || value.isEmpty()
          || OF_OTHERS.contains(name)
          || isOfKubernetes(name, value)) {
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

  /** The names of the variables that Kubernetes has set. */
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
