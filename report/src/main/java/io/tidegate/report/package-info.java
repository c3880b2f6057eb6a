/**
 * Reports of benchmarks and simulations.
 *
 * <p>A {@link io.tidegate.report.Report} collects sections in the order in which they are printed.
 * Its Markdown on standard output has each {@link io.tidegate.report.Table}, described column by
 * column; its JSON file has the records behind them. A program reads its options from
 * {@link io.tidegate.report.ReportOptions}, which also writes the report.
 *
 * <p>Nothing here is safe for use by several threads; a report is built by one thread after the
 * measurements.
 */
@org.jspecify.annotations.NullMarked
package io.tidegate.report;
