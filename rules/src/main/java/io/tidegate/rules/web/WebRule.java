package io.tidegate.rules.web;

import io.tidegate.model.Bounds;
import io.tidegate.model.Limit;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A limit on some requests of a web application. Immutable.
 *
 * <pre>{@code
 * WebRule uploads = WebRule.named("uploads")
 *     .path("/api/files/**")
 *     .methods("POST", "PUT")
 *     .key(KeyFunction.header("X-Api-Key"))
 *     .limit(Limit.perMinute(100))
 *     .build();
 * }</pre>
 *
 * <p>Values that can never match or never limit anything are rejected with an
 * {@link IllegalArgumentException} that shows them.
 */
public final class WebRule {

  private final String name;
  private final PathPattern path;
  private final Set<String> methods;
  private final KeyFunction key;
  private final MissingKey missingKey;
  private final Limit limit;
  private final ToLongFunction<WebRequest> cost;
  private final @Nullable Predicate<WebRequest> condition;
  private final boolean shadow;

  private WebRule(Builder builder, Limit limit) {
    this.name = builder.name;
    this.path = builder.path;
    this.methods = builder.methods;
    this.key = builder.key;
    this.missingKey = builder.missingKey;
    this.limit = limit;
    this.cost = builder.cost;
    this.condition = builder.condition;
    this.shadow = builder.shadow;
  }

  /**
   * Starts to build a rule: {@code WebRule.named("api").limit(Limit.perMinute(100)).build()} limits
   * each client address on all paths.
   *
   * @param name the name for counts, headers and metrics; 1 to 512 characters
   * @return a builder
   */
  public static Builder named(String name) {
    return new Builder(name);
  }

  /**
   * Returns the name: {@code rule.name()}.
   *
   * @return the name for counts, headers and metrics
   */
  public String name() {
    return name;
  }

  /**
   * Returns the pattern of paths: {@code rule.path()}.
   *
   * @return as it was given
   */
  public String path() {
    return path.toString();
  }

  /**
   * Returns the methods: {@code rule.methods().contains("GET")}.
   *
   * @return empty if the rule applies to all
   */
  public Set<String> methods() {
    return methods;
  }

  /**
   * Returns what happens without a key: {@code rule.missingKey()}.
   *
   * @return the policy
   */
  public MissingKey missingKey() {
    return missingKey;
  }

  /**
   * Returns the limit of keys for which a {@link LimitProvider} has none: {@code rule.limit()}.
   *
   * @return tokens and window
   */
  public Limit limit() {
    return limit;
  }

  /**
   * Returns whether the rule counts and reports, but never denies: {@code rule.isShadow()}.
   *
   * @return true for a shadow rule
   */
  public boolean isShadow() {
    return shadow;
  }

  KeyFunction key() {
    return key;
  }

  ToLongFunction<WebRequest> cost() {
    return cost;
  }

  @Nullable
  Predicate<WebRequest> condition() {
    return condition;
  }

  /** Whether the rule is for the method and the path of a request, apart from its condition. */
  boolean covers(WebRequest request) {
    return (methods.isEmpty() || methods.contains(request.method()))
        && (path.matches(request.path()) || coversSent(request.sentPath()));
  }

  private boolean coversSent(@Nullable String sent) {
    return sent != null && path.matches(sent);
  }

  /** Describes the rule in one line, for logs. */
  @Override
  public String toString() {
    return "rule \"" + name + "\": " + limit.tokens() + " per "
        + Duration.ofMillis(limit.windowMillis()) + " on "
        + (methods.isEmpty() ? "all methods" : String.join(", ", methods)) + " of " + path
        + (missingKey == MissingKey.SHARED ? "" : ", without a key: " + missingKey)
        + (shadow ? ", shadow" : "");
  }

  /** Builds a {@link WebRule}. Not thread-safe. */
  public static final class Builder {

    private final String name;
    private PathPattern path = PathPattern.parse("/**");
    private Set<String> methods = Set.of();
    private KeyFunction key = KeyFunction.clientAddress();
    private MissingKey missingKey = MissingKey.SHARED;
    private @Nullable Limit limit;
    private ToLongFunction<WebRequest> cost = request -> 1;
    private @Nullable Predicate<WebRequest> condition;
    private boolean shadow;

    private Builder(String name) {
      if (Bounds.checkName("name of a rule", name).isBlank()) {
        throw new IllegalArgumentException("name of a rule must not be blank: \"" + name + "\"");
      }
      this.name = name;
    }

    /**
     * Limits paths that match a pattern; without it, all: <code>path("/users/{id}/**")</code>.
     *
     * <p>In a segment, {@code *} stands for any characters; a segment <code>{name}</code> stands
     * for any segment; {@code **} as the last segment stands for any rest, also none. Case matters.
     * Empty segments of a request's path are ignored, and with them a slash at the end.
     *
     * @param pattern the pattern; starts with {@code /} and is not percent-encoded
     * @return this
     */
    public Builder path(String pattern) {
      this.path = PathPattern.parse(pattern);
      return this;
    }

    /**
     * Limits some methods; without it, all: {@code methods("POST", "PUT")}. With {@code GET}, the
     * rule applies to {@code HEAD} too, because servers answer both by the same handlers.
     *
     * @param methods in upper case
     * @return this
     */
    public Builder methods(String... methods) {
      return methods(List.of(methods));
    }

    /**
     * As {@link #methods(String...)}: {@code methods(List.of("POST", "PUT"))}.
     *
     * @param methods in upper case
     * @return this
     */
    public Builder methods(Collection<String> methods) {
      this.methods = Collections.unmodifiableSet(HttpMethods.check(methods));
      return this;
    }

    /**
     * Sets the function that finds whose requests are counted together; without it, those of a
     * client address: {@code key(KeyFunction.header("X-Api-Key"))}.
     *
     * @param key the function
     * @return this
     */
    public Builder key(KeyFunction key) {
      this.key = Objects.requireNonNull(key, "key must not be null");
      return this;
    }

    /**
     * Sets what happens to requests without a key; without it, they share a count:
     * {@code missingKey(MissingKey.DENY)}.
     *
     * @param missingKey the policy
     * @return this
     */
    public Builder missingKey(MissingKey missingKey) {
      this.missingKey = Objects.requireNonNull(missingKey, "missingKey must not be null");
      return this;
    }

    /**
     * Sets the limit, which every rule needs: {@code limit(Limit.perMinute(100))}.
     *
     * @param limit tokens and window
     * @return this
     */
    public Builder limit(Limit limit) {
      this.limit = Objects.requireNonNull(limit, "limit must not be null");
      return this;
    }

    /**
     * Sets the tokens that a request takes; without it, 1: {@code cost(5)}.
     *
     * @param tokens 1 to 10^12
     * @return this
     */
    public Builder cost(long tokens) {
      if (Bounds.checkTokens("cost", tokens) == 0) {
        throw new IllegalArgumentException(
            "cost of rule \"" + name + "\" must not be 0: it would limit nothing");
      }
      this.cost = request -> tokens;
      return this;
    }

    /**
     * Sets a function that finds the tokens that a request takes: {@code cost(request ->
     * request.path().contains("/bulk") ? 50 : 1)}. A negative result counts as 1; a request of cost
     * 0 takes nothing.
     *
     * @param cost the function
     * @return this
     */
    public Builder cost(ToLongFunction<WebRequest> cost) {
      this.cost = Objects.requireNonNull(cost, "cost must not be null");
      return this;
    }

    /**
     * Limits only requests that fulfil a condition: {@code when(request ->
     * request.header("X-Internal") == null)}.
     *
     * @param condition the condition
     * @return this
     */
    public Builder when(Predicate<WebRequest> condition) {
      this.condition = Objects.requireNonNull(condition, "condition must not be null");
      return this;
    }

    /**
     * Makes the rule count and report, but never deny, to try a limit before it is enforced:
     * {@code shadow()}.
     *
     * @return this
     */
    public Builder shadow() {
      this.shadow = true;
      return this;
    }

    /**
     * Builds the rule: {@code WebRule.named("api").limit(Limit.perMinute(100)).build()}.
     *
     * @return the rule
     * @throws IllegalArgumentException if there is no limit
     */
    public WebRule build() {
      if (limit == null) {
        throw new IllegalArgumentException("rule \"" + name + "\" has no limit");
      }
      return new WebRule(this, limit);
    }
  }
}
