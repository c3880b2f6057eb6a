package io.tidegate.server.config;

import java.util.Collection;
import java.util.List;

/** Settings that cannot be used, with all that is wrong with them. */
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ConfigException(Collection<String> problems) {
    super(String.join("\n", problems));
  }

  /** One line for each. */
  public List<String> problems() {
    return getMessage().lines().toList();
  }
}
