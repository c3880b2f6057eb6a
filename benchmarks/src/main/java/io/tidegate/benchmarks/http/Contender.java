package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import java.io.IOException;
import java.util.List;

/**
 * A server to measure.
 *
 * @param url its address, for messages
 * @param processes those whose CPU time is spent on requests; empty if unknown
 */
record Contender(String name, String url, HttpRequests requests, List<ProcessHandle> processes) {

  /** A load that was answered, and the answers other than 2xx. */
  record Sent(Outcome outcome, RefusedAnswers refused) {}

  /**
   * Sends a load.
   *
   * @throws IllegalStateException if the server does not answer, or if it is one of ours and
   *     refuses a request
   */
  Sent send(Order order, int connections, int keys) {
    RefusedAnswers refused = new RefusedAnswers();
    Outcome outcome;
    try {
      outcome = LoadGenerator.run(order, connections, requests.connector(keys, refused));
    } catch (IOException | IllegalStateException e) {
      throw new IllegalStateException(name + ", " + url + ": " + e.getMessage(), e);
    }
    if (refused.count() > 0 && Kind.labels().contains(name)) {
      throw new IllegalStateException(name + " answered " + refused.first());
    }
    return new Sent(outcome, refused);
  }

  /** CPU time of the processes; NaN if they are unknown. */
  double cpuSeconds() {
    return processes.isEmpty()
        ? Double.NaN
        : processes.stream().mapToDouble(Cpu::seconds).sum();
  }
}
