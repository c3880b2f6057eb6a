/**
 * Reports of benchmarks and simulations.
 *
 * <p>A {@link io.tidegate.report.Report} collects sections in the order in which they are printed.
 * Each {@link io.tidegate.report.Table} is described once, column by column; the Markdown on
 * standard output and the JSON file both follow from that description. A program reads its options
 * from {@link io.tidegate.report.ReportOptions}, which also writes the report.
 *
 * <p>Nothing here is safe for use by several threads; a report is built by one thread after the
 * measurements.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.report;
