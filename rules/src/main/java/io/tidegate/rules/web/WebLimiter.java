package io.tidegate.rules.web;

import io.tidegate.RateLimiter;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.model.LimitRequest;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.PolicyDecision;
import io.tidegate.rules.ProblemBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides on requests of a web application by rules. Thread-safe; one serves the whole application.
 *
 * <pre>{@code
 * WebLimiter web = WebLimiter.builder(RateLimiter.inMemory())
 *     .rules(WebRule.named("api").path("/api/**").limit(Limit.perMinute(100)).build())
 *     .build();
 * WebDecision decision = web.decide(request).toCompletableFuture().join();
 * }</pre>
 *
 * <p>All rules that match a request apply, and it is charged to all or to none. The count of a rule
 * is in the namespace with its name; its identifier is the key. Shadow rules are decided by
 * themselves, after the others allowed the request; if these denied it, a shadow rule is only
 * peeked at. The answer does not wait for shadow rules.
 *
 * <p>An exception of a function of the application fails no request: without a key, the
 * {@link MissingKey} policy of the rule applies; a condition that throws is fulfilled; a cost that
 * cannot be found, or is negative, is 1; a {@link LimitProvider} that throws leaves the limit of
 * the rule. It is reported to the {@link WebListener}, and logged at most once a minute for each
 * rule.
 */
public final class WebLimiter {

  private static final int OK = 200;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int FORBIDDEN = 403;

  /** Much longer than the limiter waits for its origin. */
  private static final int LONGEST_WAIT_SECONDS = 5;

  private static final CompletableFuture<WebDecision> UNLIMITED =
      CompletableFuture.completedFuture(WebDecision.UNLIMITED);

  /** A rule that applies to a request, with what it is charged. */
  private record Charge(RuleEvaluator rule, @Nullable String key, LimitRequest request) {}

  private final RateLimiter limiter;
  private final InstantSource clock;
  private final @Nullable DecisionHeaders headers; // null if denials have Retry-After only
  private final List<RuleEvaluator> evaluators;
  private final RuleEvaluator[] enforced;
  private final RuleEvaluator[] shadows;
  private final RareWarning warning;

  private WebLimiter(
      RateLimiter limiter,
      InstantSource clock,
      @Nullable DecisionHeaders headers,
      List<RuleEvaluator> evaluators) {
    this.limiter = limiter;
    this.clock = clock;
    this.headers = headers;
    this.evaluators = evaluators;
    this.enforced =
        evaluators.stream().filter(each -> !each.rule().isShadow()).toArray(RuleEvaluator[]::new);
    this.shadows =
        evaluators.stream().filter(each -> each.rule().isShadow()).toArray(RuleEvaluator[]::new);
    this.warning = new RareWarning(clock);
  }

  /**
   * Starts to build: {@code WebLimiter.builder(RateLimiter.inMemory()).rules(rule).build()}.
   *
   * @param limiter counts the requests; the caller closes it
   * @return a builder
   */
  public static Builder builder(RateLimiter limiter) {
    return new Builder(limiter);
  }

  /**
   * Returns the rules: {@code web.rules().forEach(rule -> log.info("{}", rule))}.
   *
   * @return in their order
   */
  public List<WebRule> rules() {
    return evaluators.stream().map(RuleEvaluator::rule).toList();
  }

  /**
   * Returns a limiter with some of the rules, for a front that chooses rules by name:
   * {@code web.only(List.of("login"))}. It shares the counts of this one.
   *
   * @param names names of rules
   * @return the limiter
   * @throws IllegalArgumentException if there are no names, or no rule has a name
   */
  public WebLimiter only(Collection<String> names) {
    List<String> unknown = new ArrayList<>(names);
    rules().forEach(rule -> unknown.remove(rule.name()));
    if (!unknown.isEmpty() || names.isEmpty()) {
      throw new IllegalArgumentException("no rule has the name " + unknown + "; names of rules: "
          + rules().stream().map(WebRule::name).toList());
    }
    return new WebLimiter(
        limiter,
        clock,
        headers,
        evaluators.stream().filter(each -> names.contains(each.rule().name())).toList());
  }

  /**
   * Decides on a request, and charges it if all rules allow it:
   * {@code web.decide(request).thenAccept(this::answer)}.
   *
   * <p>All functions of the application have been called when the method returns; dependent stages
   * may run on the thread that completes the read of the origin and must not block it. The stage
   * never fails: without a decision after five seconds, which is possible only while the limiter is
   * closed, or if the limiter fails, the request is let through with a warning in the log.
   *
   * @param request the request
   * @return the decision; complete already unless the origin must be read, for which it waits up to
   *     300 ms. Callers that may block use {@code toCompletableFuture().join()}
   */
  public CompletionStage<WebDecision> decide(WebRequest request) {
    List<Charge> charges = List.of();
    for (RuleEvaluator rule : enforced) {
      if (rule.applies(request)) {
        String key = rule.key(request);
        if (key == null && rule.rule().missingKey() == MissingKey.DENY) {
          return CompletableFuture.completedFuture(forbidden(rule.rule()));
        }
        charges = add(charges, rule, key, request);
      }
    }
    List<Charge> watched = List.of();
    for (RuleEvaluator rule : shadows) {
      if (rule.applies(request)) {
        watched = add(watched, rule, rule.key(request), request);
      }
    }
    return bounded(decide(charges, watched).toCompletableFuture());
  }

  private CompletionStage<WebDecision> bounded(CompletableFuture<WebDecision> decision) {
    return decision.isDone() && !decision.isCompletedExceptionally()
        ? decision
        : decision
            .orTimeout(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)
            .exceptionally(this::letThrough);
  }

  private WebDecision letThrough(Throwable failure) {
    warning.log("There is no decision on a request; it is let through", failure);
    return WebDecision.UNLIMITED;
  }

  /** Avoids a list of its own for the most frequent case of one rule. */
  private static List<Charge> add(
      List<Charge> charges, RuleEvaluator rule, @Nullable String key, WebRequest request) {
    if (key == null && rule.rule().missingKey() != MissingKey.SHARED) {
      return charges;
    }
    Charge charge = new Charge(rule, key, rule.charge(request, key));
    if (charges.isEmpty()) {
      return List.of(charge);
    }
    List<Charge> more = charges.size() == 1 ? new ArrayList<>(charges) : charges;
    more.add(charge);
    return more;
  }

  private CompletionStage<WebDecision> decide(List<Charge> charges, List<Charge> watched) {
    if (charges.isEmpty()) {
      decideShadows(watched, true);
      return UNLIMITED;
    }
    return charges.size() == 1
        ? limiter
            .tryAcquireAsync(charges.get(0).request())
            .thenApply(decision -> answer(charges, List.of(decision), watched))
        : limiter
            .tryAcquireAllAsync(charges.stream().map(Charge::request).toList())
            .thenApply(batch -> answer(charges, batch.decisions(), watched));
  }

  private WebDecision answer(List<Charge> charges, List<Decision> decisions, List<Charge> watched) {
    PolicyDecision[] named = new PolicyDecision[decisions.size()];
    boolean allowed = true;
    for (int i = 0; i < named.length; i++) {
      Charge charge = charges.get(i);
      Decision decision = decisions.get(i);
      charge.rule().report(charge.key(), decision);
      named[i] = charge.rule().policyDecision(charge.request(), decision);
      allowed = allowed && decision.allowed();
    }
    decideShadows(watched, allowed);
    return allowed ? allowed(List.of(named)) : denied(List.of(named));
  }

  private void decideShadows(List<Charge> watched, boolean allowed) {
    for (Charge charge : watched) {
      LimitRequest request = allowed ? charge.request() : charge.request().withCost(0);
      limiter
          .tryAcquireAsync(request)
          .thenAccept(decision -> charge.rule().report(charge.key(), decision));
    }
  }

  private WebDecision allowed(List<PolicyDecision> decisions) {
    Map<String, String> fields = headers == null ? Map.of() : headers.of(decisions, clock.millis());
    return new WebDecision(true, OK, decisions, fields, "");
  }

  private WebDecision denied(List<PolicyDecision> decisions) {
    return new WebDecision(
        false,
        TOO_MANY_REQUESTS,
        decisions,
        headers == null ? retryAfter(decisions) : headers.ofDenial(decisions, clock.millis()),
        ProblemBody.quotaExceeded(TOO_MANY_REQUESTS, decisions));
  }

  private static Map<String, String> retryAfter(List<PolicyDecision> decisions) {
    OptionalLong seconds = DecisionHeaders.retryAfterSeconds(decisions);
    return seconds.isEmpty()
        ? Map.of()
        : Map.of(DecisionHeaders.RETRY_AFTER_FIELD, Long.toString(seconds.getAsLong()));
  }

  private static WebDecision forbidden(WebRule rule) {
    return new WebDecision(
        false, FORBIDDEN, List.of(), Map.of(), ProblemBody.missingKey(FORBIDDEN, rule.name()));
  }

  /** Builds a {@link WebLimiter}. Not thread-safe. */
  public static final class Builder {

    private final RateLimiter limiter;
    private List<WebRule> rules = List.of();
    private @Nullable DecisionHeaders headers = DecisionHeaders.DRAFT_11;
    String workspace = "default";
    LimitProvider limits = (rule, key) -> null;
    InstantSource clock = InstantSource.system();
    WebListener listener = WebListener.NONE;

    private Builder(RateLimiter limiter) {
      this.limiter = Objects.requireNonNull(limiter, "limiter must not be null");
    }

    /**
     * Sets the workspace of the counts; without it, {@code default}: {@code workspace("acme")}.
     *
     * @param workspace the tenant
     * @return this
     */
    public Builder workspace(String workspace) {
      this.workspace = Bounds.checkName("workspace", workspace);
      return this;
    }

    /**
     * Sets the rules, at least one: {@code rules(perClient, perTenant)}.
     *
     * @param rules the rules; headers list them in this order
     * @return this
     */
    public Builder rules(WebRule... rules) {
      return rules(List.of(rules));
    }

    /**
     * As {@link #rules(WebRule...)}: {@code rules(List.of(perClient, perTenant))}.
     *
     * @param rules the rules; headers list them in this order
     * @return this
     */
    public Builder rules(Collection<WebRule> rules) {
      this.rules = List.copyOf(rules);
      return this;
    }

    /**
     * Sets limits that differ by key: {@code limits(plans)}.
     *
     * @param limits the provider
     * @return this
     */
    public Builder limits(LimitProvider limits) {
      this.limits = Objects.requireNonNull(limits, "limits must not be null");
      return this;
    }

    /**
     * Sets the generation of headers; without it, the current one:
     * {@code headers(DecisionHeaders.DRAFT_06)}.
     *
     * @param headers the generation
     * @return this
     */
    public Builder headers(DecisionHeaders headers) {
      this.headers = Objects.requireNonNull(headers, "headers must not be null");
      return this;
    }

    /**
     * Hides limits from clients: {@code withoutHeaders()}. Denials keep {@code Retry-After}.
     *
     * @return this
     */
    public Builder withoutHeaders() {
      this.headers = null;
      return this;
    }

    /**
     * Sets the clock of headers, which must agree with that of the limiter; without it, the system
     * clock: {@code clock(virtualTime)}.
     *
     * @param clock the clock
     * @return this
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock must not be null");
      return this;
    }

    /**
     * Sets the listener to decisions: {@code listener(metrics)}.
     *
     * @param listener the listener
     * @return this
     */
    public Builder listener(WebListener listener) {
      this.listener = Objects.requireNonNull(listener, "listener must not be null");
      return this;
    }

    /**
     * Builds the limiter: {@code WebLimiter.builder(limiter).rules(rule).build()}.
     *
     * @return the limiter
     * @throws IllegalArgumentException if there are no rules, or two have the same name
     */
    public WebLimiter build() {
      if (rules.isEmpty() || rules.size() > Bounds.MAX_BATCH_SIZE) {
        throw new IllegalArgumentException(
            "number of rules must be between 1 and " + Bounds.MAX_BATCH_SIZE + ": " + rules.size());
      }
      Set<String> names = new HashSet<>();
      for (WebRule rule : rules) {
        if (!names.add(rule.name())) {
          throw new IllegalArgumentException("two rules have the name \"" + rule.name() + "\"");
        }
      }
      return new WebLimiter(
          limiter,
          clock,
          headers,
          rules.stream().map(rule -> new RuleEvaluator(rule, this)).toList());
    }
  }
}
