package io.tidegate.simulator.chaos;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Silences the limiter, which logs every injected fault. */
final class Quiet implements BeforeAllCallback {

  private static final Logger LIMITER =
      Logger.getLogger("io.tidegate"); // a strong reference; loggers are held weakly

  @Override
  public void beforeAll(ExtensionContext context) {
    LIMITER.setLevel(Level.OFF);
  }
}
