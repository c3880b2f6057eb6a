package io.tidegate.server.service;

import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.model.Scope;
import io.tidegate.rules.Match;
import io.tidegate.rules.Rule;
import io.tidegate.server.catalog.KnownNamespace;
import io.tidegate.server.catalog.KnownOverride;
import io.tidegate.server.catalog.KnownWorkspace;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor on its way to a decision. Changed by {@link RuleCharges} only, by one thread after
 * the other.
 */
final class RuleCharge {

  /** How the limiter decides. */
  enum Mode {
    /** Not at all: no limit applies. */
    NONE,
    /** All or nothing with the others of this mode. */
    TOGETHER,
    /** By itself, because the rule cannot deny the request, or not without others. */
    ALONE,
    /** Charged in full, even beyond the limit. */
    RECORD
  }

  private final @Nullable Match match;
  private final Mode mode;
  private final long hits;
  private final boolean negative;

  /** Null if and only if the mode is {@link Mode#NONE}. */
  private final @Nullable LimitRequest request;

  private @Nullable Decision decision;
  private boolean taken;

  private RuleCharge(
      @Nullable Match match,
      Mode mode,
      long hits,
      boolean negative,
      @Nullable LimitRequest request) {
    this.match = match;
    this.mode = mode;
    this.hits = hits;
    this.negative = negative;
    this.request = request;
  }

  /**
   * Creates the charge of a descriptor.
   *
   * @param match the rule that applies; null if none does
   * @param requestHits the hits of the whole request; 0 if it does not say
   * @param workspace the workspace of the domain; null if the domain is none
   */
  static RuleCharge of(
      DescriptorRequest descriptor,
      @Nullable Match match,
      long requestHits,
      @Nullable KnownWorkspace workspace) {
    Long own = descriptor.hits();
    boolean explicit = own != null || requestHits > 0;
    long hits = own != null ? own : Math.max(1, requestHits);
    if (match == null || match.rule().unlimited()) {
      return new RuleCharge(match, Mode.NONE, hits, descriptor.negative(), null);
    }
    boolean negative = descriptor.negative();
    long cost = negative ? 0 : Math.min(hits, Bounds.MAX_TOKENS);
    return new RuleCharge(
        match,
        mode(match.rule(), explicit && cost > 0, negative),
        hits,
        negative,
        request(match, cost, workspace));
  }

  private static Mode mode(Rule rule, boolean explicit, boolean negative) {
    if (explicit && rule.record()) {
      return Mode.RECORD;
    }
    return rule.shadow() || rule.quota() || negative ? Mode.ALONE : Mode.TOGETHER;
  }

  private static LimitRequest request(Match match, long cost, @Nullable KnownWorkspace workspace) {
    Rule rule = match.rule();
    KnownOverride override =
        workspace == null ? null : override(workspace, rule.path(), match.identifier());
    return override == null
        ? new LimitRequest(
            new Scope(rule.domain(), rule.path(), rule.windowMillis()),
            match.identifier(),
            rule.limit(),
            cost)
        : new LimitRequest(
            new Scope(rule.domain(), rule.path(), override.durationMillis()),
            match.identifier(),
            override.limit(),
            cost);
  }

  private static @Nullable KnownOverride override(
      KnownWorkspace workspace, String path, String identifier) {
    KnownNamespace namespace = workspace.namespace(path);
    return namespace == null || namespace.deleted()
        ? null
        : namespace.overrides().find(identifier);
  }

  Mode mode() {
    return mode;
  }

  /** The request to the limiter; only if the mode is not {@link Mode#NONE}. */
  LimitRequest request() {
    if (request == null) {
      throw new IllegalStateException("no limit applies");
    }
    return request;
  }

  /** A request to the same count that takes nothing. */
  LimitRequest peek() {
    return request().cost() == 0 ? request() : request().withCost(0);
  }

  /**
   * Sets the decision.
   *
   * @param taken whether the hits were taken
   */
  void decided(Decision decision, boolean taken) {
    this.decision = decision;
    this.taken = taken;
  }

  /**
   * Sets the decision on a request that takes its hits if it is allowed.
   *
   * @return whether it is allowed
   */
  boolean decided(Decision decision) {
    decided(decision, decision.allowed());
    return decision.allowed();
  }

  /** Whether the rule denies only together with all other quota rules of the request. */
  boolean isQuota() {
    return match != null && match.rule().quota() && !negative && mode != Mode.NONE;
  }

  /** Whether the limit is exceeded, or does not have room for the hits. */
  boolean isOver() {
    return decision != null
        && !neverDenies()
        && (!decision.allowed() || (!taken && decision.remaining() < request().cost()));
  }

  /** Whether this descriptor by itself denies the request. */
  boolean denies() {
    return !isQuota() && !allowed();
  }

  private boolean allowed() {
    return decision == null || decision.allowed() || neverDenies();
  }

  private boolean neverDenies() {
    return negative || isShadow();
  }

  private boolean isShadow() {
    return match != null && match.rule().shadow();
  }

  DescriptorResult result() {
    return new DescriptorResult(
        allowed(),
        match,
        decision,
        hits,
        decision == null ? 0 : request().scope().windowMillis());
  }

  /**
   * Reports the decision to the observer.
   *
   * @param shadowMode whether every request is let through
   */
  void report(RuleObserver observer, boolean shadowMode) {
    if (negative) {
      observer.negativeHits(hits);
    } else if (match != null && decision != null && request().cost() > 0) {
      long over = over(decision);
      long within = taken ? request().cost() - over : 0;
      observer.decided(match.metric(), request().cost(), within, near(decision, within), over);
      if (over > 0 && (shadowMode || isShadow())) {
        observer.shadowed(match.metric(), over);
      }
    }
  }

  /** Writes a denial to the log. */
  void log(DenialLog denials, String requestId) {
    if (decision != null && !allowed()) {
      denials.log(requestId, request(), decision);
    }
  }

  /** The hits that exceed the limit: some of those that were taken, or all. */
  private long over(Decision decision) {
    if (decision.allowed()) {
      return 0;
    }
    long cost = request().cost();
    return taken ? Math.min(cost, decision.effectiveCount() - decision.limit()) : cost;
  }

  /** The hits within the limit that were taken above 80 % of it. */
  private long near(Decision decision, long within) {
    if (within == 0) {
      return 0;
    }
    long after = Math.min(decision.effectiveCount(), decision.limit());
    return Math.max(0, Math.min(within, after - decision.limit() * 4 / 5));
  }
}
