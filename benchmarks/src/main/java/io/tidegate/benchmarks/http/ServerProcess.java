package io.tidegate.benchmarks.http;

import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.ServerJvm;
import io.tidegate.benchmarks.load.TidegateProcess;
import io.tidegate.benchmarks.load.TidegateProcess.Address;
import io.tidegate.benchmarks.load.TidegateProcess.Usage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * A server in a JVM of its own, which runs {@link #main}. It prints a line with its address, and
 * for each line that it reads, a line with its memory usage.
 */
final class ServerProcess implements AutoCloseable {

  /** The servers that are compared. */
  enum Kind {
    TIDEGATE("Tidegate"),
    CONSTANT("a constant");

    final String label;

    Kind(String label) {
      this.label = label;
    }

    static List<String> labels() {
      return Arrays.stream(values()).map(kind -> kind.label).toList();
    }
  }

  final Kind kind;
  final Address address;
  private final ServerJvm jvm;

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  ServerProcess(Kind kind, int eventLoops, String... prefix) throws IOException {
    this.kind = kind;
    this.jvm = new ServerJvm(prefix, ServerProcess.class, kind.name(), "" + eventLoops);
    this.address = Address.of(jvm.readAnswer());
  }

  Usage usage() throws IOException {
    return Usage.of(jvm.ask());
  }

  /** This server with requests of a number of limits each. */
  Contender contender(int batch) {
    String url = "http://127.0.0.1:" + address.port();
    return new Contender(
        kind.label, url, HttpRequests.limits(address, batch), List.of(jvm.process()));
  }

  double residentBytes() {
    return jvm.residentBytes();
  }

  @Override
  public void close() throws IOException {
    jvm.close();
  }

  /** Arguments: the kind of server, its number of event loops and a directory for its data. */
  public static void main(String[] arguments) {
    ServerJvm.run(answers -> {
      int eventLoops = Integer.parseInt(arguments[1]);
      switch (Kind.valueOf(arguments[0])) {
        case CONSTANT -> {
          answers.println(ConstantServer.start(eventLoops) + " 0 none");
          TidegateProcess.answer(answers, () -> 0L);
        }
        case TIDEGATE ->
          TidegateProcess.serve(answers, arguments[2], "--event-loops=" + eventLoops);
      }
    });
  }
}
