/** Reports of benchmarks and simulations: tables, targets, plots, Markdown and JSON. */
@org.jspecify.annotations.NullMarked
module io.tidegate.report {
  requires transitive info.picocli;
  requires java.management;
  requires static org.jspecify;

  exports io.tidegate.report;

  opens io.tidegate.report to
      info.picocli;
}
