package io.tidegate.server.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a root key may do, in all namespaces of its workspace or in some. */
public final class Permissions {

  private static final String PREFIX = "ratelimit.";
  private static final String EVERYWHERE = "*";

  private final Set<Action> everywhere = EnumSet.noneOf(Action.class);
  private final Map<String, Set<Action>> byNamespace = new HashMap<>();
  private final List<ResourceName> resources = new ArrayList<>();

  /**
   * What these texts permit. One that is not understood permits nothing.
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

  /** Whether it may do this in every namespace. */
  public boolean allow(Action action) {
    return everywhere.contains(action);
  }

  /** Whether it may do this in this namespace. */
  public boolean allow(Action action, String namespaceId) {
    return everywhere.contains(action)
        || byNamespace.getOrDefault(namespaceId, Set.of()).contains(action);
  }

  /** Whether it may do this with this override. */
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

  /** The permission to do this in every namespace: {@code ratelimit.*.limit}. */
  public static String text(Action action) {
    return text(action, EVERYWHERE);
  }

  /** The permission to do this in one namespace. */
  public static String text(Action action, String namespaceId) {
    return PREFIX + namespaceId + "." + action.word();
  }

  /** All that there is to permit, as a first key has it. */
  public static Set<String> all() {
    return Set.of(
        text(Action.LIMIT),
        text(Action.CREATE_NAMESPACE),
        text(Action.SET_OVERRIDE),
        text(Action.READ_OVERRIDE),
        text(Action.DELETE_OVERRIDE));
  }
}
