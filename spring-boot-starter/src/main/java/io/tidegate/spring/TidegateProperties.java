package io.tidegate.spring;

import io.tidegate.rules.web.MissingKey;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter, under {@code tidegate}.
 *
 * <pre>
 * tidegate:
 *   redis-uri: redis://redis.internal:6379
 *   rules:
 *     - name: login
 *       path: /login
 *       methods: POST
 *       limit: 5
 *       window: 1m
 * </pre>
 *
 * <p>An unknown property under {@code tidegate} stops the start of the application: a limit with a
 * typing error would otherwise limit nothing.
 *
 * @param enabled Whether rules and annotations apply. If false, no request is limited, and the
 *     limiter uses neither Redis nor a database.
 * @param region Name of the region of this process. Required with a database, where each region
 *     needs a name of its own; by default "default".
 * @param node Name of this process in the region, for diagnosis. By default random.
 * @param redisUri Redis through which the processes of a region share counts, such as
 *     redis://user:password@host:6379, or redis-sentinel://host1:26379,host2:26379/0#mymaster. By
 *     default counts are in the memory of each process.
 * @param redisCluster Whether "redis-uri" names one or more nodes of a Redis Cluster, separated by
 *     commas.
 * @param jdbcUrl MySQL or MariaDB database through which regions share counts, such as
 *     jdbc:mariadb://host/database?user=tidegate. By default regions do not share counts.
 * @param maxSeries Maximum number of counts in memory. Beyond it, counts that matter least are
 *     evicted.
 * @param workspace Workspace of all counts. Applications that share a Redis and have different
 *     workspaces do not share counts.
 * @param headers Response headers that describe the limits to clients.
 * @param trustedProxies Number of proxies that each request passes before it arrives here. The
 *     address of the client is then read from X-Forwarded-For, counted from the right.
 * @param rules Limits on web requests. All rules that match a request apply.
 */
@ConfigurationProperties(prefix = TidegateProperties.PREFIX, ignoreUnknownFields = false)
public record TidegateProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String region,
    @Nullable String node,
    @Nullable String redisUri,
    @DefaultValue("false") boolean redisCluster,
    @Nullable String jdbcUrl,
    @DefaultValue("1000000") int maxSeries,
    @DefaultValue("default") String workspace,
    @DefaultValue("draft-11") Headers headers,
    @DefaultValue("0") int trustedProxies,
    @DefaultValue List<Rule> rules) {

  static final String PREFIX = "tidegate";

  /** Makes the list of rules unmodifiable. */
  public TidegateProperties {
    rules = List.copyOf(rules);
  }

  /**
   * A limit on web requests, under {@code tidegate.rules}.
   *
   * <p>{@code key}, {@code cost} and {@code when} are expressions in the Spring Expression
   * Language. They can use {@code header('X-Api-Key')}, {@code cookie('session')} and beans such as
   * {@code @plans.costOf(path)}; the names are {@code principal, clientAddress, method, path,
   * request}.
   *
   * @param name Name of the rule, for counts, response headers and metrics. Required, and unique.
   * @param path Pattern of the paths, such as /api/**, /users/{id} or /files/*.pdf. By default all.
   * @param methods HTTP methods. By default all; GET includes HEAD.
   * @param key Expression for whose requests are counted together, such as principal. By default
   *     the address of the client.
   * @param limit Number of tokens per window and key. Required. 0 denies all requests.
   * @param window Length of the window, from 1s to 366d. Required.
   * @param cost Tokens that a request takes: a number or an expression. By default 1.
   * @param when Expression for which requests the rule applies to. By default all.
   * @param missingKey What happens to requests without a key: they share one count, the rule does
   *     not apply to them, or they are denied with status 403.
   * @param shadow Whether the rule only counts: it never denies a request, and clients do not see
   *     it.
   * @param order Whether the rule applies before or after Spring Security. By default after it if
   *     an expression reads the principal, otherwise before it.
   */
  public record Rule(
      @Nullable String name,
      @DefaultValue("/**") String path,
      @Nullable List<String> methods,
      @Nullable String key,
      @Nullable Long limit,
      @Nullable Duration window,
      @DefaultValue("1") String cost,
      @Nullable String when,
      @DefaultValue("shared") MissingKey missingKey,
      @DefaultValue("false") boolean shadow,
      @Nullable RuleOrder order) {}

  /** Response headers that describe the limits to clients: {@code tidegate.headers=draft-06}. */
  public enum Headers {
    /** RateLimit-Policy and RateLimit, as in revisions 08 to 11 of the Internet-Draft. */
    DRAFT_11,
    /** RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset, as in revisions 00 to 06. */
    DRAFT_06,
    /** None but Retry-After, if a request is denied. */
    NONE
  }

  /** When a rule applies: {@code tidegate.rules[0].order=after-security}. */
  public enum RuleOrder {
    /** Before Spring Security, so that denied requests cost no authentication. */
    BEFORE_SECURITY,
    /** After Spring Security, for requests that it lets pass. The principal is known then. */
    AFTER_SECURITY
  }
}
