package io.tidegate.catalog;

import java.util.regex.Pattern;

/**
 * A group of limits within a workspace, such as {@code login}.
 *
 * @param id {@code rlns_...}
 * @param workspaceId workspace of the namespace
 * @param name name that clients use; unique within the workspace, and never reused
 * @param deleted whether the namespace is deleted
 * @param createdAtMillis milliseconds since 1970
 * @param version version of the catalog in which it last changed
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
   * Whether a text has the form of an id: {@code Namespace.isId("rlns_4gK2mPq8x")}. Names of this
   * form are rejected; otherwise the name of one namespace could be the id of another.
   */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }
}
