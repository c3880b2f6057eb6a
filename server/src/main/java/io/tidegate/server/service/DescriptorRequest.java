package io.tidegate.server.service;

import io.tidegate.model.Limit;
import io.tidegate.rules.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A description of a request at a gateway, for which the rules have at most one limit.
 *
 * @param entries keys and values in order; must not change any more
 * @param hits tokens to take, 0 peeks; null if the gateway does not say
 * @param negative whether the hits are to be given back
 * @param limit a limit that applies instead of any rule; null for none
 */
public record DescriptorRequest(
    List<Entry> entries,
    @Nullable Long hits,
    boolean negative,
    @Nullable Limit limit) {

  /**
   * A request for one token that the rules decide on: {@code DescriptorRequest.of(List.of(new
   * Entry("remote_address", "1.2.3.4")))}.
   */
  public static DescriptorRequest of(List<Entry> entries) {
    return new DescriptorRequest(entries, null, false, null);
  }
}
