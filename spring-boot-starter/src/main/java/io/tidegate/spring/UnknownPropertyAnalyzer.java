package io.tidegate.spring;

import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Prints which properties under {@code tidegate} do not exist. Other prefixes are left to Boot. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyAnalyzer
    extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of(TidegateProperties.PREFIX);

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
    Set<ConfigurationProperty> unknown = cause.getUnboundProperties();
    if (unknown.isEmpty()
        || !unknown.stream().allMatch(property -> PREFIX.isAncestorOf(property.getName()))) {
      return null;
    }
    String lines = unknown.stream()
        .sorted(Comparator.comparing(property -> property.getName()))
        .map(property -> "    Property: " + property.getName() + "\n    Value: \""
            + property.getValue() + "\"\n    Origin: " + property.getOrigin())
        .collect(Collectors.joining("\n\n"));
    return new FailureAnalysis(
        "Tidegate has no such property, and would limit less than is intended:\n\n" + lines,
        unknown.stream().anyMatch(UnknownPropertyAnalyzer::isInMapOfRules)
            ? "tidegate.rules is a list: write \"- name: login\" instead of \"login:\", or tidegate.rules[0].name=login."
            : "Correct or remove the property. The rules have "
                + names(TidegateProperties.Rule.class) + "; tidegate has "
                + names(TidegateProperties.class) + ".",
        cause);
  }

  /** Whether a name is {@code tidegate.rules.login.limit} instead of {@code tidegate.rules[0]}. */
  private static boolean isInMapOfRules(ConfigurationProperty property) {
    ConfigurationPropertyName name = property.getName();
    return name.getNumberOfElements() > 2
        && name.getElement(1, ConfigurationPropertyName.Form.UNIFORM).equals("rules")
        && !name.isNumericIndex(2);
  }

  private static String names(Class<? extends Record> properties) {
    return java.util.Arrays.stream(properties.getRecordComponents())
        .map(component ->
            component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
