package io.tidegate.server.observe;

import io.tidegate.server.service.RuleObserver;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Meters of the rules.
 *
 * <p>A rule may ask for values of clients in its name, so the number of names is bounded: rules
 * beyond {@value #MAX_RULES}, and those with longer names, are counted together as "other". Any
 * thread may count; only the first decision of a rule takes a lock.
 */
final class RuleMetrics implements RuleObserver {

  /** Five time series each. */
  private static final int MAX_RULES = 1_000;

  /** Bounds the size of a scrape. */
  private static final int MAX_NAME_LENGTH = 256;

  private static final String OTHER = "other";

  private final Registry registry;
  private final Map<String, RuleCounters> rules = new ConcurrentHashMap<>();
  private final RuleCounters other;
  private final LongAdder negativeHits;
  private final LongAdder unknownDomains;

  /** Whether new rules are counted as "other". Written under this object's lock. */
  private volatile boolean full;

  RuleMetrics(Registry registry) {
    this.registry = registry;
    this.other = new RuleCounters(registry, OTHER);
    rules.put(OTHER, other);
    this.negativeHits = registry.counter(
        "tidegate_rule_negative_hits_total",
        "Hits that gateways asked to give back, which is not supported: nothing was given back");
    this.unknownDomains = registry.counter(
        "tidegate_rule_unknown_domain_total", "Requests with a domain that no rule file has");
  }

  @Override
  public void decided(String rule, long hits, long within, long near, long over) {
    counters(rule).count(hits, within, near, over);
  }

  @Override
  public void shadowed(String rule, long over) {
    counters(rule).shadow.add(over);
  }

  @Override
  public void negativeHits(long hits) {
    negativeHits.add(hits);
  }

  @Override
  public void unknownDomain() {
    unknownDomains.increment();
  }

  /** The counts of all rules that have decided a request, by name. */
  List<RuleCount> counts() {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().hits.sum() > 0)
        .map(rule -> rule.getValue().counts(rule.getKey()))
        .sorted(Comparator.comparing(RuleCount::rule))
        .toList();
  }

  private RuleCounters counters(String rule) {
    RuleCounters known = rules.get(rule);
    if (known != null) {
      return known;
    }
    return full || rule.length() > MAX_NAME_LENGTH ? other : add(rule);
  }

  private synchronized RuleCounters add(String rule) {
    RuleCounters known = rules.get(rule);
    if (known != null || full) {
      return known != null ? known : other;
    }
    RuleCounters counters = new RuleCounters(registry, rule);
    rules.put(rule, counters);
    full = rules.size() == MAX_RULES + 1; // "other" is extra
    return counters;
  }

  /** The counters of one rule. */
  private static final class RuleCounters {

    private final LongAdder hits;
    private final LongAdder within;
    private final LongAdder near;
    private final LongAdder over;
    private final LongAdder shadow;

    RuleCounters(Registry registry, String rule) {
      this.hits = counter(registry, rule, "hits", "Hits that gateways asked for");
      this.within =
          counter(registry, rule, "within_limit", "Hits that were taken within the limit");
      this.near =
          counter(registry, rule, "near_limit", "Hits within the limit, but above 80 % of it");
      this.over = counter(registry, rule, "over_limit", "Hits that exceeded the limit");
      this.shadow = counter(
          registry,
          rule,
          "shadow",
          "Hits that exceeded the limit and were let through because of shadow mode");
    }

    private static LongAdder counter(Registry registry, String rule, String what, String help) {
      return registry.counter("tidegate_rule_" + what + "_total", help, "rule", rule);
    }

    RuleCount counts(String rule) {
      return new RuleCount(rule, hits.sum(), within.sum(), near.sum(), over.sum(), shadow.sum());
    }

    void count(long hits, long within, long near, long over) {
      this.hits.add(hits);
      if (within > 0) {
        this.within.add(within);
      }
      if (near > 0) {
        this.near.add(near);
      }
      if (over > 0) {
        this.over.add(over);
      }
    }
  }
}
