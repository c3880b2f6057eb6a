package io.tidegate.benchmarks.global;

/**
 * Activity of a fleet and its database during one window.
 *
 * @param processSeconds CPU time of this process, which is all but the database
 */
record WindowUse(
    double seconds,
    MariaDbMeter.Reading stored,
    ExchangeMeter.Reading exchanged,
    Driver.Reading driven,
    double processSeconds) {

  double requestsPerSecond() {
    return driven.decisions() / seconds;
  }

  double insertsPerSecond() {
    return stored.inserts() / seconds;
  }

  double selectsPerSecond() {
    return stored.selects() / seconds;
  }

  double rowsWrittenPerSecond() {
    return exchanged.pushedRows() / seconds;
  }

  double rowsReadPerSecond() {
    return exchanged.pulledRows() / seconds;
  }

  double databasePercent() {
    return 100 * stored.cpuSeconds() / seconds;
  }

  double processPercent() {
    return 100 * processSeconds / seconds;
  }

  /** CPU time of pushes and pulls of all nodes, without the database driver. */
  double exchangePercent() {
    return 100 * exchangeNanos() / 1e9 / seconds;
  }

  double exchangeMicrosPerRow() {
    return ratio(exchangeNanos() / 1e3, exchanged.pushedRows() + exchanged.pulledRows());
  }

  private double exchangeNanos() {
    return (double) (exchanged.pushCpuNanos() + exchanged.pullCpuNanos());
  }

  double shareUnchanged() {
    return ratio((double) stored.rowsUnchanged(), stored.rowsWritten());
  }

  double shareOfNewRows() {
    return ratio((double) exchanged.newRows(), exchanged.pulledRows());
  }

  private static double ratio(double part, long whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
