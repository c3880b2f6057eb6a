package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.Cpu;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server to measure.
 *
 * @param processes those whose CPU time is spent on requests; empty if unknown
 */
record Contender(String name, InetSocketAddress address, List<ProcessHandle> processes) {

  private static final Pattern SYNTAX = Pattern.compile("([^=|]+)=(.+):(\\d{1,5})((?:,\\d{1,9})*)");

  /**
   * Reads NAME=HOST:PORT,PID,PID.
   *
   * @throws IllegalArgumentException if the text is invalid, or an address or process is not found
   */
  static Contender parse(String text) {
    Matcher parts = SYNTAX.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not of the form NAME=HOST:PORT[,PID...]: " + text);
    }
    InetSocketAddress address =
        new InetSocketAddress(parts.group(2), Integer.parseInt(parts.group(3)));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("unknown host: " + parts.group(2));
    }
    List<ProcessHandle> processes = Arrays.stream(parts.group(4).split(","))
        .filter(pid -> !pid.isEmpty())
        .map(Contender::process)
        .toList();
    return new Contender(parts.group(1), address, processes);
  }

  private static ProcessHandle process(String pid) {
    return ProcessHandle.of(Long.parseLong(pid))
        .orElseThrow(() -> new IllegalArgumentException("no process has this id: " + pid));
  }

  /** CPU time of the processes; NaN if they are unknown. */
  double cpuSeconds() {
    return processes.isEmpty()
        ? Double.NaN
        : processes.stream().mapToDouble(Cpu::seconds).sum();
  }
}
