package io.tidegate.rules;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of a rule file: a key, the values it matches, a limit, and the descriptors below it.
 *
 * <pre>{@code
 * RuleNode.of("remote_address").withLimit(RuleLimit.of(5, "minute"))
 * }</pre>
 *
 * @param line the line in the file, from 1; 0 if unknown
 * @param key the key; an empty one is an error
 * @param value the value to match, in which {@code *} stands for any text; empty for all values
 * @param limit the limit of requests that end here; null for none
 * @param descriptors descriptors for the next entry of a request, in the order of the file
 * @param options switches of the descriptor
 * @param metadata free data, as in {@link Rule}
 */
public record RuleNode(
    int line,
    String key,
    String value,
    @Nullable RuleLimit limit,
    List<RuleNode> descriptors,
    Set<Option> options,
    Map<String, Object> metadata) {

  /** A switch of a descriptor. */
  public enum Option {
    /** The limit is evaluated and counted, but never denies. */
    SHADOW_MODE,
    /** The limit denies only if all limits with this option are over. */
    QUOTA_MODE,
    /** The metric of the limit contains all values of the request. */
    DETAILED_METRIC,
    /** The metrics of limits here and below contain the value of this entry. */
    VALUE_TO_METRIC,
    /** All values that match the wildcard of this descriptor share one count. */
    SHARE_THRESHOLD,
    /** An explicit number of hits is charged in full, even beyond the limit. The default. */
    RECORD
  }

  /** Copies the collections. */
  public RuleNode {
    descriptors = List.copyOf(descriptors);
    options = options.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(options));
    metadata =
        Collections.unmodifiableMap(new LinkedHashMap<>(metadata)); // in the order of the file
  }

  /**
   * Creates a descriptor for all values of a key.
   *
   * @param key the key
   * @return the descriptor, with the default options
   */
  public static RuleNode of(String key) {
    return of(key, "");
  }

  /**
   * Creates a descriptor for one value of a key, or those that match a wildcard.
   *
   * @param key the key
   * @param value the value, in which {@code *} stands for any text; empty for all values
   * @return the descriptor, with the default options
   */
  public static RuleNode of(String key, String value) {
    return new RuleNode(0, key, value, null, List.of(), Set.of(Option.RECORD), Map.of());
  }

  /**
   * Returns this descriptor with a limit.
   *
   * @param limit the limit
   * @return the descriptor
   */
  public RuleNode withLimit(RuleLimit limit) {
    return new RuleNode(line, key, value, limit, descriptors, options, metadata);
  }

  /**
   * Returns this descriptor with these below it.
   *
   * @param descriptors descriptors for the next entry of a request
   * @return the descriptor
   */
  public RuleNode withDescriptors(RuleNode... descriptors) {
    return new RuleNode(line, key, value, limit, List.of(descriptors), options, metadata);
  }

  /**
   * Returns this descriptor with one more switch on.
   *
   * @param option the switch
   * @return the descriptor
   */
  public RuleNode with(Option option) {
    EnumSet<Option> more = EnumSet.of(option);
    more.addAll(options);
    return new RuleNode(line, key, value, limit, descriptors, more, metadata);
  }
}
