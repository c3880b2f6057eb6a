package io.tidegate.spring;

import org.jspecify.annotations.Nullable;

/**
 * Stops the start of an application because a property of Tidegate is wrong. Spring Boot prints the
 * property, the reason and what to do.
 *
 * <pre>{@code
 * throw new TidegateConfigurationException(
 *     "tidegate.rules[0].limit", null, "A rule needs a limit.", "Set the number of tokens per window, such as 100.");
 * }</pre>
 */
public final class TidegateConfigurationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String property;
  private final @Nullable String value;
  private final String reason;
  private final String action;

  /**
   * Creates the exception.
   *
   * @param property the full name, such as {@code tidegate.rules[0].key}
   * @param value the value; null if the property is not set, or is secret
   * @param reason what is wrong, as a sentence
   * @param action what to do, as a sentence
   */
  public TidegateConfigurationException(
      String property, @Nullable String value, String reason, String action) {
    super(property + (value == null ? "" : " = \"" + value + "\"") + ": " + reason + " " + action);
    this.property = property;
    this.value = value;
    this.reason = reason;
    this.action = action;
  }

  /**
   * Returns the property: {@code exception.property()}.
   *
   * @return the full name, such as {@code tidegate.rules[0].key}
   */
  public String property() {
    return property;
  }

  /**
   * Returns the value: {@code exception.value()}.
   *
   * @return null if the property is not set, or is secret
   */
  public @Nullable String value() {
    return value;
  }

  /**
   * Returns the reason: {@code exception.reason()}.
   *
   * @return what is wrong, as a sentence
   */
  public String reason() {
    return reason;
  }

  /**
   * Returns the action: {@code exception.action()}.
   *
   * @return what to do, as a sentence
   */
  public String action() {
    return action;
  }
}
