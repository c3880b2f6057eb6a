package io.tidegate.benchmarks;

import picocli.CommandLine.Option;

/** Options of benchmarks that send requests to servers. */
public final class ServerOptions extends RunOptions {

  @Option(
      names = "--pin",
      description =
          "Bind the server to processor 0, with one event loop if it has any, and the load to processor 1, with"
              + " taskset. By default they share all processors.")
  private boolean pin;

  public boolean pinned() {
    return pin;
  }
}
