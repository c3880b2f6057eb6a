package io.tidegate.server.service;

import java.util.List;

/**
 * The decision on all descriptors of a request.
 *
 * @param allowed whether the gateway should let the request through
 * @param descriptors one result per descriptor, in the order of the request
 * @param nowMillis the time of the decision
 */
public record RuleResult(boolean allowed, List<DescriptorResult> descriptors, long nowMillis) {

  public RuleResult {
    descriptors = List.copyOf(descriptors);
  }
}
