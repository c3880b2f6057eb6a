package io.tidegate.spring.testing;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Spring Boot printed for the last application that did not start. */
public final class Analyses implements FailureAnalysisReporter {

  private static final ThreadLocal<FailureAnalysis> LAST = new ThreadLocal<>();

  @Override
  public void report(FailureAnalysis analysis) {
    LAST.set(analysis);
  }

  /** Returns the analysis of the last failure on this thread and removes it; null if none. */
  static FailureAnalysis take() {
    FailureAnalysis last = LAST.get();
    LAST.remove();
    return last;
  }
}
