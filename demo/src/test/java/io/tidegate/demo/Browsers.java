package io.tidegate.demo;

import static org.junit.jupiter.api.Assumptions.abort;

import io.tidegate.testkit.Browser;
import io.tidegate.testkit.PipBinary;

/** Starts browsers, which may not be installed. */
final class Browsers {

  private Browsers() {}

  /** Skips the test without a browser, or fails it with {@code -Dtidegate.programs=required}. */
  static Browser startOrSkip() {
    try {
      return Browser.start();
    } catch (PipBinary.UnavailableException e) {
      if ("required".equals(System.getProperty("tidegate.programs"))) {
        throw e;
      }
      System.err.println("SKIPPED: " + e.getMessage());
      return abort("skipped: " + e.getMessage());
    }
  }
}
