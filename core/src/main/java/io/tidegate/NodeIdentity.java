package io.tidegate;

import io.tidegate.model.Bounds;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The checks and defaults of the names of a node and its region. */
final class NodeIdentity {

  /** Leaves room for the incarnation in the name of a writer, which has at most 512 characters. */
  private static final int MAX_NODE_LENGTH = 256;

  /** Length of the column in which global counters store the region. */
  private static final int MAX_REGION_LENGTH = 48;

  private NodeIdentity() {}

  static String checkNode(String node) {
    Bounds.checkName("node", node);
    if (node.length() > MAX_NODE_LENGTH) {
      throw new IllegalArgumentException("node must have at most 256 characters: " + node);
    }
    if (node.codePoints().anyMatch(NodeIdentity::isUnpairedSurrogate)) {
      throw new IllegalArgumentException(
          "node must be text, without an unpaired surrogate: " + node);
    }
    return node;
  }

  /** The name of a node, 64 random bits by default. */
  static String nodeOrRandom(@Nullable String node) {
    UUID random = UUID.randomUUID();
    return node != null
        ? node
        : Long.toUnsignedString(
            random.getMostSignificantBits() ^ random.getLeastSignificantBits(), 36);
  }

  /**
   * The name of a region, {@code default} by default.
   *
   * @param mustBeUnique whether other regions share counts with this one
   */
  static String region(@Nullable String region, boolean mustBeUnique) {
    if (mustBeUnique) {
      return checkUniqueRegion(region);
    }
    return region != null ? region : "default";
  }

  /**
   * Without a default: two regions with one name would each take the other's counts for its own.
   */
  private static String checkUniqueRegion(@Nullable String region) {
    if (region == null) {
      throw new IllegalStateException(
          "global counters need the region of this node: call region(\"eu\"), with a name that no other region has");
    }
    if (region.codePointCount(0, region.length()) > MAX_REGION_LENGTH) {
      throw new IllegalStateException(
          "with global counters, region must have at most 48 characters: " + region);
    }
    if (region.codePoints().anyMatch(NodeIdentity::isUnpairedSurrogate)) {
      throw new IllegalStateException(
          "with global counters, region must be text, without an unpaired surrogate: " + region);
    }
    return region;
  }

  private static boolean isUnpairedSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
