package io.tidegate.server.config;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

/** Invalid settings, with all their problems. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ConfigException(Collection<String> problems) {
    super(String.join("\n", problems));
  }

  /** The problems, one line each. */
  public List<String> problems() {
    return Objects.requireNonNull(getMessage()).lines().toList();
  }
}
