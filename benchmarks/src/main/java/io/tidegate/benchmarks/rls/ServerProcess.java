package io.tidegate.benchmarks.rls;

import io.tidegate.benchmarks.load.ServerJvm;
import io.tidegate.server.Server;
import io.tidegate.server.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** A server in a JVM of its own, which runs {@link #main} and prints its port. */
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

  private final Kind kind;
  private final ServerJvm jvm;
  private final int port;

  /** Starts a server with a prefix of its command line, like {@code taskset}. */
  ServerProcess(Kind kind, int eventLoops, String... prefix) throws IOException {
    this.kind = kind;
    this.jvm = new ServerJvm(prefix, ServerProcess.class, kind.name(), "" + eventLoops);
    this.port = Integer.parseInt(jvm.readAnswer()[0]);
  }

  Contender contender() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    return new Contender(kind.label, address, List.of(jvm.process()));
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
          answers.println(ConstantServer.start(eventLoops));
          awaitEnd();
        }
        case TIDEGATE -> serve(answers, eventLoops, Path.of(arguments[2]));
      }
    });
  }

  private static void awaitEnd() throws IOException {
    System.in.transferTo(System.err);
  }

  private static void serve(PrintStream answers, int eventLoops, Path directory)
      throws IOException {
    Path rules = Files.createDirectory(directory.resolve("rules"));
    try (InputStream file = ServerProcess.class.getResourceAsStream("rules.yaml")) {
      Files.copy(Objects.requireNonNull(file), rules.resolve("bench.yaml"));
    }
    String arguments = "--http-host=127.0.0.1 --http-port=0 --admin-port=0 --gateway-port=0"
        + " --stop-delay=0s --event-loops=" + eventLoops + " --rules=" + rules
        + " --data=" + directory.resolve("catalog");
    Server server = Server.start(ServerConfig.of(arguments.split(" ")), key -> {});
    try {
      answers.println(server.gatewayPort());
      awaitEnd();
    } finally {
      server.stop();
    }
  }
}
