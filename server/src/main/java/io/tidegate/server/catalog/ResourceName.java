package io.tidegate.server.catalog;

import org.jspecify.annotations.Nullable;

/**
 * A permission on named resources:
 * {@code unkey:v1:ws_1:ratelimits/namespaces/rlns_1/overrides/*#read_override}.
 *
 * <p>{@code *} matches one segment of the path, {@code **} at its end all following segments. As
 * workspace or action, {@code *} matches any.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ResourceName(String workspace, String[] path, String action) {

  private static final String PREFIX = "unkey:v1:";

  /** Parses a permission; null if it does not have this form. */
  static @Nullable ResourceName parse(String permission) {
    int colon = permission.indexOf(':', PREFIX.length());
    int hash = permission.lastIndexOf('#');
    if (!permission.startsWith(PREFIX) || colon < 0 || hash < colon) {
      return null;
    }
    String[] path = permission.substring(colon + 1, hash).split("/", -1);
    for (int i = 0; i < path.length; i++) {
      if (path[i].isEmpty() || (path[i].equals("**") && i < path.length - 1)) {
        return null;
      }
    }
    return new ResourceName(
        permission.substring(PREFIX.length(), colon), path, permission.substring(hash + 1));
  }

  boolean covers(Action wanted, String workspaceId, String... resource) {
    return (action.equals("*") || action.equals(wanted.word()))
        && (workspace.equals("*") || workspace.equals(workspaceId))
        && pathCovers(resource);
  }

  private boolean pathCovers(String[] resource) {
    for (int i = 0; i < path.length; i++) {
      if (path[i].equals("**")) {
        return i < resource.length;
      }
      if (i == resource.length || !(path[i].equals("*") || path[i].equals(resource[i]))) {
        return false;
      }
    }
    return path.length == resource.length;
  }
}
