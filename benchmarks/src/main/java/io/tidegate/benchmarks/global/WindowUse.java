package io.tidegate.benchmarks;

import io.tidegate.report.Percentiles;

/**
 * What went on in the time of one window.
 *
 * @param latestMillis by how much a request was late, at worst
 * @param processSeconds CPU of everything but the database
 * @param tickCpuMillis CPU of the ticks that pushed something, driver excluded
 * @param pushMillis how long pushes took
 * @param pullMillis how long pulls took
 */
record GlobalUse(
    double seconds,
    MariaDbMeter.Reading stored,
    ExchangeMeter.Reading exchanged,
    GlobalDriver.Reading driven,
    long latestMillis,
    double processSeconds,
    Percentiles tickCpuMillis,
    Percentiles pushMillis,
    Percentiles pullMillis) {

  double perSecond(double amount) {
    return amount / seconds;
  }

  /** Of one core. */
  double percent(double cpuSeconds) {
    return 100 * cpuSeconds / seconds;
  }

  double rowsWrittenPerSecond() {
    return perSecond(exchanged.pushedRows());
  }

  double rowsReadPerSecond() {
    return perSecond(exchanged.pulledRows());
  }

  double databasePercent() {
    return percent(stored.cpuSeconds());
  }

  double processPercent() {
    return percent(processSeconds);
  }

  /** CPU of all exchanges together, outside of the driver. */
  double exchangePercent() {
    return percent(exchangeNanos() / 1e9);
  }

  double exchangeMicrosPerRow() {
    long rows = exchanged.pushedRows() + exchanged.pulledRows();
    return rows == 0 ? 0 : exchangeNanos() / 1e3 / rows;
  }

  private double exchangeNanos() {
    return exchanged.pushCpuNanos() + exchanged.pullCpuNanos();
  }

  double inVainPercent() {
    return part(stored.rowsInVain(), stored.rowsWritten());
  }

  double newsPercent() {
    return part(exchanged.newsRows(), exchanged.pulledRows());
  }

  private static double part(double part, double whole) {
    return whole == 0 ? 0 : 100 * part / whole;
  }

  double failures() {
    return exchanged.failures();
  }
}
