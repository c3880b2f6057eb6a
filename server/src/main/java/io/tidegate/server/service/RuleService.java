package io.tidegate.server.service;

import io.tidegate.RateLimiter;
import io.tidegate.rules.Match;
import io.tidegate.rules.RuleSet;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.catalog.KnownWorkspace;
import io.tidegate.server.log.LogDenials;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests that a gateway describes by keys and values, with the limits of the rules.
 *
 * <p>Safe for use by many threads. Never blocks. A future is complete already unless a decision had
 * to wait for the origin; it then completes on a thread of the limiter.
 */
public final class RuleService {

  private final RateLimiter limiter;
  private final CatalogFollower catalog;
  private final Supplier<RuleSet> rules;
  private final boolean shadowMode;
  private final DenialLog denials;
  private final RuleObserver observer;
  private final InstantSource clock;

  /**
   * Creates a service.
   *
   * @param limiter makes the decisions
   * @param catalog overrides of domains that are workspaces
   * @param rules the current rules; {@link RuleSet#EMPTY} if none were loaded
   * @param shadowMode whether every request is let through
   * @param logDenials which denials to log
   * @param observer receives the decisions
   * @param clock the time
   */
  public RuleService(
      RateLimiter limiter,
      CatalogFollower catalog,
      Supplier<RuleSet> rules,
      boolean shadowMode,
      LogDenials logDenials,
      RuleObserver observer,
      InstantSource clock) {
    this.limiter = limiter;
    this.catalog = catalog;
    this.rules = rules;
    this.shadowMode = shadowMode;
    this.denials = new DenialLog(logDenials);
    this.observer = observer;
    this.clock = clock;
  }

  /** Whether rules were loaded. Until then no limit applies to any request. */
  public boolean hasRules() {
    return rules.get() != RuleSet.EMPTY;
  }

  /**
   * Decides a request.
   *
   * <p>Descriptors without an explicit number of hits are decided together: if one is denied, none
   * is charged. An explicit number of at least 1 is charged in full even beyond the limit, unless
   * the rule says otherwise, because gateways report in this way what was used already. Rules in
   * shadow mode never deny. Rules in quota mode deny only if all of them are exceeded.
   *
   * @param requestId the id of the request, for the log
   * @param domain the domain of the rules
   * @param descriptors at most 1,000
   * @param hits the hits of descriptors that do not have their own; 0 if the gateway does not say,
   *     which means 1
   * @param maxWait how long to wait for the origin before the request is decided from memory
   */
  public CompletableFuture<RuleResult> decide(
      String requestId,
      String domain,
      List<DescriptorRequest> descriptors,
      long hits,
      Duration maxWait) {
    List<RuleCharge> charges = charges(domain, descriptors, hits);
    RuleCharges steps = new RuleCharges(limiter, charges, clock, maxWait);
    CompletableFuture<Boolean> decided = steps.decide();
    return decided.isDone() && !decided.isCompletedExceptionally()
        ? CompletableFuture.completedFuture(
            result(requestId, charges, decided.join(), steps.nowMillis()))
        : decided.thenApply(allowed -> result(requestId, charges, allowed, steps.nowMillis()));
  }

  private List<RuleCharge> charges(String domain, List<DescriptorRequest> descriptors, long hits) {
    List<@Nullable Match> matches = find(domain, descriptors);
    KnownWorkspace workspace = catalog.directory().workspace(domain);
    List<RuleCharge> charges = new ArrayList<>(descriptors.size());
    for (int i = 0; i < descriptors.size(); i++) {
      charges.add(RuleCharge.of(descriptors.get(i), matches.get(i), hits, workspace));
    }
    return charges;
  }

  private RuleResult result(
      String requestId, List<RuleCharge> charges, boolean allowed, long nowMillis) {
    List<DescriptorResult> results = new ArrayList<>(charges.size());
    for (RuleCharge charge : charges) {
      charge.report(observer, shadowMode);
      if (!allowed && !shadowMode) {
        charge.log(denials, requestId);
      }
      results.add(charge.result());
    }
    return new RuleResult(allowed || shadowMode, results, nowMillis);
  }

  private List<@Nullable Match> find(String domain, List<DescriptorRequest> descriptors) {
    RuleSet current = rules.get(); // one set for all descriptors
    boolean known = current.hasDomain(domain);
    if (!known) {
      observer.unknownDomain();
    }
    List<@Nullable Match> matches = new ArrayList<>(descriptors.size());
    for (DescriptorRequest descriptor : descriptors) {
      matches.add(known ? find(current, domain, descriptor) : null);
    }
    return RuleSet.withoutReplaced(matches);
  }

  private static @Nullable Match find(RuleSet rules, String domain, DescriptorRequest descriptor) {
    return descriptor.limit() == null
        ? rules.find(domain, descriptor.entries())
        : Match.ofLimitIn(domain, descriptor.entries(), descriptor.limit());
  }
}
