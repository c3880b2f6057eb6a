/** How benchmarks and simulations write their figures. */
module io.tidegate.report {
  requires java.management;

  exports io.tidegate.report;
}
