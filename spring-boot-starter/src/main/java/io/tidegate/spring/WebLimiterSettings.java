package io.tidegate.spring;

import io.tidegate.RateLimiter;
import io.tidegate.model.Bounds;
import io.tidegate.model.Decision;
import io.tidegate.rules.DecisionHeaders;
import io.tidegate.rules.web.LimitProvider;
import io.tidegate.rules.web.WebLimiter;
import io.tidegate.rules.web.WebListener;
import io.tidegate.rules.web.WebRule;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * What all limiters of an application have in common: settings and beans. For the other modules of
 * Tidegate for Spring, not for applications.
 *
 * <pre>{@code
 * WebLimiter limiter = settings.builder(List.of(rule)).build();
 * }</pre>
 */
public final class WebLimiterSettings {

  private final RateLimiter limiter;
  private final TidegateProperties properties;
  private final InstantSource clock;
  private final @Nullable LimitProvider limits;
  private final WebListener listener;

  WebLimiterSettings(
      RateLimiter limiter,
      TidegateProperties properties,
      InstantSource clock,
      @Nullable LimitProvider limits,
      List<WebListener> listeners) {
    this.limiter = limiter;
    this.properties = properties;
    this.clock = clock;
    this.limits = limits;
    this.listener = listeners.size() == 1 ? listeners.get(0) : new All(listeners);
  }

  /** Creates the limiter for some rules, of which there is at least one. */
  WebLimiter limiter(List<CompiledRule> rules) {
    return builder(rules.stream().map(CompiledRule::rule).toList()).build();
  }

  /**
   * Starts to build a limiter with these settings: {@code settings.builder(rules).build()}.
   *
   * @param rules at least one
   * @return a builder
   */
  public WebLimiter.Builder builder(Collection<WebRule> rules) {
    WebLimiter.Builder builder = WebLimiter.builder(limiter)
        .workspace(workspace())
        .rules(rules)
        .clock(clock)
        .listener(listener);
    if (limits != null) {
      builder.limits(limits);
    }
    switch (properties.headers()) {
      case DRAFT_11 -> builder.headers(DecisionHeaders.DRAFT_11);
      case DRAFT_06 -> builder.headers(DecisionHeaders.DRAFT_06);
      case NONE -> builder.withoutHeaders();
    }
    return builder;
  }

  private String workspace() {
    try {
      return Bounds.checkName("workspace", properties.workspace());
    } catch (IllegalArgumentException e) {
      throw new TidegateConfigurationException(
          TidegateProperties.PREFIX + ".workspace",
          properties.workspace(),
          "Invalid: " + e.getMessage() + ".",
          "Set a short name, or remove the property for default.");
    }
  }

  /** Reports to several listeners; {@link WebLimiter} survives one that throws. */
  private record All(List<WebListener> listeners) implements WebListener {

    private static final Log LOG = LogFactory.getLog(WebListener.class);

    private void each(Consumer<WebListener> event) {
      for (WebListener listener : listeners) {
        try {
          event.accept(listener);
        } catch (RuntimeException e) {
          LOG.warn("A listener to web requests failed: " + listener.getClass().getName(), e);
        }
      }
    }

    @Override
    public void decided(WebRule rule, @Nullable String key, Decision decision) {
      each(listener -> listener.decided(rule, key, decision));
    }

    @Override
    public void keyMissing(WebRule rule) {
      each(listener -> listener.keyMissing(rule));
    }

    @Override
    public void functionFailed(WebRule rule, String function, Exception failure) {
      each(listener -> listener.functionFailed(rule, function, failure));
    }
  }
}
