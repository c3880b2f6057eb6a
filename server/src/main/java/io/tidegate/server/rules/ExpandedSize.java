package io.tidegate.server.rules;

import java.util.IdentityHashMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Size of a YAML document with its aliases expanded. A few lines of aliases that refer to lists of
 * aliases can stand for billions of values, so a document is measured before it is read.
 */
final class ExpandedSize {

  /** Twice what rules in a file of the maximum size have. */
  static final int MAX_VALUES = 1_000_000;

  /** Twenty descriptors below each other have 40 levels. */
  static final int MAX_DEPTH = 100;

  /**
   * Size of a part of the document.
   *
   * @param values number of values, at most one more than the maximum
   * @param depth number of levels, at most one more than the maximum
   */
  private record Size(int values, int depth) {

    static final Size EXCEEDED = new Size(MAX_VALUES + 1, MAX_DEPTH + 1);
  }

  private final IdentityHashMap<Node, Size> sizes = new IdentityHashMap<>();

  private ExpandedSize() {}

  /** Whether a document is within both maximums. Takes time in proportion to its text. */
  static boolean isBounded(Node root) {
    Size size = new ExpandedSize().of(root);
    return size.values <= MAX_VALUES && size.depth <= MAX_DEPTH;
  }

  private Size of(Node node) {
    Size known = sizes.get(node);
    if (known != null) {
      return known;
    }
    sizes.put(node, Size.EXCEEDED); // holds if the node contains an alias of itself
    int values = 1;
    int depth = 0;
    for (Node child : children(node).toList()) {
      Size size = of(child);
      values = Math.min(Size.EXCEEDED.values, values + size.values);
      depth = Math.max(depth, size.depth);
    }
    Size size = new Size(values, Math.min(Size.EXCEEDED.depth, depth + 1));
    sizes.put(node, size);
    return size;
  }

  private static Stream<Node> children(Node node) {
    if (node instanceof MappingNode mapping) {
      return mapping.getValue().stream()
          .flatMap(entry -> Stream.of(entry.getKeyNode(), entry.getValueNode()));
    }
    return node instanceof SequenceNode sequence ? sequence.getValue().stream() : Stream.empty();
  }
}
