package io.tidegate.benchmarks;

/** Who answers over HTTP. */
enum HttpContender {
  TIDEGATE("Tidegate"),
  CONSTANT("a constant");

  private final String label;

  HttpContender(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
