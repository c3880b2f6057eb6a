package io.tidegate.server.command;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What root keys can be allowed to do. */
final class Permission {

  private static final List<String> ACTIONS =
      List.of("limit", "create_namespace", "set_override", "read_override", "delete_override");

  private static final Pattern FORM = Pattern.compile("ratelimit\\.(\\*|[A-Za-z0-9_-]+)\\.("
      + String.join("|", ACTIONS) + ")" + "|unkey:v1:[^\\s#]+#(\\*|[a-z_]+)");

  private Permission() {}

  /** Everything, in all namespaces. */
  static Set<String> all() {
    Set<String> all = new TreeSet<>();
    ACTIONS.forEach(action -> all.add("ratelimit.*." + action));
    return all;
  }

  /** Refuses one that would never allow anything. */
  static void check(String permission) {
    if (!FORM.matcher(permission).matches()) {
      throw new IllegalArgumentException(
          "a permission must be ratelimit.<namespace id or *>.<action>, where the action is one of "
              + String.join(", ", ACTIONS)
              + ", or unkey:v1:...#action: "
              + permission);
    }
  }

  /** For people, one in a line. */
  static String show(Collection<String> permissions) {
    return Set.copyOf(permissions).equals(all())
        ? "all"
        : String.join("\n", new TreeSet<>(permissions));
  }
}
