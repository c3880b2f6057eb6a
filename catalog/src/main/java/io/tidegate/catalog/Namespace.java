package io.tidegate.catalog;

import java.util.regex.Pattern;

/**
 * A topic of limits within a workspace.
 *
 * @param id {@code rlns_} and more
 * @param workspaceId whose it is
 * @param name what clients call it; never given to another one of the workspace
 * @param deleted whether it is gone
 * @param createdAtMillis milliseconds since 1970
 * @param version of the catalog, as of its last change
 */
public record Namespace(
    String id,
    String workspaceId,
    String name,
    boolean deleted,
    long createdAtMillis,
    long version) {

  private static final Pattern ID = Pattern.compile("rlns_[0-9A-Za-z]{9}");

  /**
   * Whether a text has the form of an id: {@code Namespace.isId("rlns_4gK2mPq8x")}. No name has:
   * else one namespace could take the requests that are meant for another.
   *
   * @param text a name or an id
   * @return whether it can only be an id
   */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }
}
