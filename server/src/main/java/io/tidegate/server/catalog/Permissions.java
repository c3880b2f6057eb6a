package io.tidegate.server.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The actions that a root key is permitted, in all namespaces of its workspace or in some of them.
 * Immutable.
 */
public final class Permissions {

  private static final String PREFIX = "ratelimit.";
  private static final String EVERYWHERE = "*";

  private static final String ACTIONS =
      Arrays.stream(Action.values()).map(Action::word).collect(Collectors.joining("|"));

  private static final Pattern VALID = Pattern.compile(
      "ratelimit\\.(\\*|[A-Za-z0-9_-]+)\\.(" + ACTIONS + ")|unkey:v1:[^\\s#]+#(\\*|[a-z_]+)");

  private final Set<Action> everywhere = EnumSet.noneOf(Action.class);
  private final Map<String, Set<Action>> byNamespace = new HashMap<>();
  private final List<ResourceName> resources = new ArrayList<>();

  /**
   * Parses the permissions of a key. A text that is not valid permits nothing.
   *
   * @param texts such as {@code ratelimit.*.limit}
   */
  Permissions(Collection<String> texts) {
    for (String text : texts) {
      ResourceName resource = ResourceName.parse(text);
      if (resource != null) {
        resources.add(resource);
      } else if (text.startsWith(PREFIX)) {
        addNamespace(text);
      }
    }
  }

  private void addNamespace(String text) {
    int dot = text.lastIndexOf('.');
    Action action = Action.of(text.substring(dot + 1));
    if (dot < PREFIX.length() || action == null) {
      return;
    }
    String namespace = text.substring(PREFIX.length(), dot);
    if (namespace.equals(EVERYWHERE)) {
      everywhere.add(action);
    } else {
      byNamespace.computeIfAbsent(namespace, id -> EnumSet.noneOf(Action.class)).add(action);
    }
  }

  /** Whether the action is permitted in every namespace. */
  public boolean allow(Action action) {
    return everywhere.contains(action);
  }

  /** Whether the action is permitted in one namespace. */
  public boolean allow(Action action, String namespaceId) {
    return everywhere.contains(action)
        || byNamespace.getOrDefault(namespaceId, Set.of()).contains(action);
  }

  /** Whether the action is permitted on one override. */
  public boolean allow(Action action, String workspaceId, String namespaceId, String overrideId) {
    if (allow(action, namespaceId)) {
      return true;
    }
    for (ResourceName resource : resources) {
      if (resource.covers(
          action, workspaceId, "ratelimits", "namespaces", namespaceId, "overrides", overrideId)) {
        return true;
      }
    }
    return false;
  }

  /** The text that permits an action in every namespace: {@code ratelimit.*.limit}. */
  public static String text(Action action) {
    return text(action, EVERYWHERE);
  }

  /** The text that permits an action in one namespace. */
  public static String text(Action action, String namespaceId) {
    return PREFIX + namespaceId + "." + action.word();
  }

  /** The texts that permit every action in every namespace, in alphabetical order. */
  public static Set<String> all() {
    Set<String> all = new TreeSet<>();
    for (Action action : Action.values()) {
      all.add(text(action));
    }
    return all;
  }

  /**
   * Checks a text before it is given to a key: one that is not valid would never permit anything.
   *
   * @throws IllegalArgumentException if it is not valid
   */
  public static void check(String text) {
    if (!VALID.matcher(text).matches()) {
      throw new IllegalArgumentException("permission must be ratelimit.<namespace id or *>.<action>"
          + " with one of the actions "
          + ACTIONS.replace("|", ", ")
          + ", or unkey:v1:...#action: "
          + text);
    }
  }
}
