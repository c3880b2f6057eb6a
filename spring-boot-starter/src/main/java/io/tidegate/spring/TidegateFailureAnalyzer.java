package io.tidegate.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Prints which property is wrong, where it is set, and what to do. */
final class TidegateFailureAnalyzer
    extends AbstractFailureAnalyzer<TidegateConfigurationException> {

  private final @Nullable Environment environment;

  TidegateFailureAnalyzer(@Nullable Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, TidegateConfigurationException cause) {
    ConfigurationProperty found = find(cause.property());
    StringBuilder description = new StringBuilder();
    String kind = cause.property().startsWith("@") ? "annotation" : "property";
    description
        .append(kind.equals("annotation") ? "An " : "A ")
        .append(kind)
        .append(" of Tidegate is wrong:\n\n    ");
    description
        .append(StringUtils.capitalize(kind))
        .append(": ")
        .append(cause.property())
        .append('\n');
    if (cause.value() != null) {
      Object value = found == null ? cause.value() : found.getValue();
      description.append("    Value: \"").append(value).append("\"\n");
    }
    if (found != null && found.getOrigin() != null) {
      description.append("    Origin: ").append(found.getOrigin()).append('\n');
    }
    description.append("    Reason: ").append(cause.reason());
    return new FailureAnalysis(description.toString(), cause.action(), cause);
  }

  /** Finds a property as it was written; null if it is not set, or is a list. */
  private @Nullable ConfigurationProperty find(String property) {
    if (environment != null && ConfigurationPropertyName.isValid(property)) {
      ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
      for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
        ConfigurationProperty found = source.getConfigurationProperty(name);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }
}
