package io.tidegate.simulator.chaos;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what limiters log of faults that are meant to be out of the build's output. */
final class Quiet implements BeforeAllCallback {

  private static final Logger LIMITER = Logger.getLogger("io.tidegate"); // held, or it is lost

  @Override
  public void beforeAll(ExtensionContext context) {
    LIMITER.setLevel(Level.OFF);
  }
}
