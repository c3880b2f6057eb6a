package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.RateLimiterBuilder;
import io.tidegate.model.Decision;
import io.tidegate.rules.Entry;
import io.tidegate.rules.RuleException;
import io.tidegate.rules.RuleFile;
import io.tidegate.rules.RuleNode;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.log.LogDenials;
import io.tidegate.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Rules of the domain {@code edge}, and a limiter in virtual time. */
final class RuleServiceFixture {

  static final String DOMAIN = "edge";

  /** Not at the end of any window. */
  final VirtualTime time = VirtualTime.startingAt(Instant.parse("2030-01-01T00:00:10Z"));

  final RateLimiter limiter;
  final RecordedRules observed = new RecordedRules();
  private final ServiceFixture node;
  private RuleSet rules = RuleSet.EMPTY;
  private boolean shadowMode;
  private LogDenials denials = LogDenials.OFF;

  /**
   * Creates a service without rules.
   *
   * @param node provides the catalog
   */
  RuleServiceFixture(ServiceFixture node) {
    this(node, RateLimiter.builder());
  }

  RuleServiceFixture(ServiceFixture node, RateLimiterBuilder limiter) {
    this.node = node;
    this.limiter = limiter.clock(time).scheduler(time).build();
  }

  RuleServiceFixture rules(RuleNode... nodes) {
    return rulesOf(DOMAIN, nodes);
  }

  RuleServiceFixture rulesOf(String domain, RuleNode... nodes) {
    try {
      rules = RuleSet.of(List.of(RuleFile.of("edge.yaml", domain, List.of(nodes))));
      return this;
    } catch (RuleException e) {
      throw new AssertionError(e);
    }
  }

  RuleServiceFixture inShadowMode() {
    shadowMode = true;
    return this;
  }

  RuleServiceFixture loggingDenials() {
    denials = LogDenials.SAMPLED;
    return this;
  }

  RuleService service() {
    return new RuleService(
        limiter, node.follower, () -> rules, shadowMode, denials, observed, time);
  }

  /** Decides without waiting. */
  RuleResult ask(DescriptorRequest... descriptors) {
    return ask(0, descriptors);
  }

  /** Decides without waiting, with a number of hits for the whole request. */
  RuleResult ask(long hits, DescriptorRequest... descriptors) {
    return askOf(DOMAIN, hits, descriptors);
  }

  RuleResult askOf(String domain, long hits, DescriptorRequest... descriptors) {
    CompletableFuture<RuleResult> result =
        service().decide("req_test", domain, List.of(descriptors), hits, Duration.ofSeconds(1));
    if (!result.isDone()) {
      throw new AssertionError("the decision waits");
    }
    return result.join();
  }

  /** A number of equal requests; returns which of them are allowed. */
  List<Boolean> askTimes(int times, DescriptorRequest descriptor) {
    List<Boolean> allowed = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      allowed.add(ask(descriptor).allowed());
    }
    return allowed;
  }

  /** The count of a descriptor, without a change. */
  long count(String key, String value) {
    return decision(ask(hits(0, key, value)), 0).effectiveCount();
  }

  static DescriptorRequest descriptor(String... keysAndValues) {
    return DescriptorRequest.of(entries(keysAndValues));
  }

  /** A descriptor with an explicit number of hits. */
  static DescriptorRequest hits(long hits, String... keysAndValues) {
    return new DescriptorRequest(entries(keysAndValues), hits, false, null);
  }

  static List<Entry> entries(String... keysAndValues) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.add(new Entry(keysAndValues[i], keysAndValues[i + 1]));
    }
    return entries;
  }

  static Decision decision(RuleResult result, int index) {
    return Objects.requireNonNull(result.descriptors().get(index).decision());
  }

  /** Which descriptors allow the request. */
  static List<Boolean> allowed(RuleResult result) {
    return result.descriptors().stream().map(DescriptorResult::allowed).toList();
  }
}
