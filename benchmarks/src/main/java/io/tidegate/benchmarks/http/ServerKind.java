package io.tidegate.benchmarks.http;

/** The servers that are compared. */
enum ServerKind {
  TIDEGATE("Tidegate"),
  CONSTANT("a constant");

  private final String label;

  ServerKind(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
