package io.tidegate.benchmarks.load;

import java.io.IOException;

/** Binds a server and the load to a processor each, with {@code taskset}. */
public final class Processors {

  private static final String SERVER = "0";
  private static final String LOAD = "1";

  private Processors() {}

  /** The number of processors that a server may use. */
  public static int ofServer(boolean pinned) {
    return pinned ? 1 : Runtime.getRuntime().availableProcessors();
  }

  /** Describes the processors of a server with as many event loops. */
  public static String eventLoops(boolean pinned) {
    return pinned
        ? "The server has one processor and one event loop, the load has another processor."
        : "Server and load share all processors; the server has %d event loops."
            .formatted(ofServer(false));
  }

  /** The prefix of a command line that binds a server to processor 0. */
  public static String[] serverPrefix() {
    return new String[] {"taskset", "-c", SERVER};
  }

  /** Binds this process, which generates the load, to processor 1. */
  public static void bindLoad() throws IOException {
    long pid = ProcessHandle.current().pid();
    Process taskset = new ProcessBuilder("taskset", "-acp", LOAD, "" + pid)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    if (taskset.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("taskset failed with status " + taskset.exitValue());
    }
  }
}
