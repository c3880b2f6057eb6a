package io.tidegate.benchmarks.web;

import io.tidegate.benchmarks.load.Cpu;
import io.tidegate.benchmarks.load.HttpConnection;
import io.tidegate.benchmarks.load.HttpConnection.Refusals;
import io.tidegate.benchmarks.load.LoadGenerator;
import io.tidegate.benchmarks.load.LoadGenerator.Order;
import io.tidegate.benchmarks.load.LoadGenerator.Outcome;
import io.tidegate.benchmarks.load.PreparedRequest;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.ServerJvm;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An application in a JVM of its own. */
final class ApplicationProcess implements AutoCloseable {

  /** The header with the key of a request. */
  static final String KEY_HEADER = "X-User";

  private static final String MAIN = "io.tidegate.benchmarks.application.Application";

  final Application application;
  final int port;
  private final ServerJvm jvm;

  /**
   * Starts an application.
   *
   * @param limit requests of a key per minute
   * @param prefix of the command line, like {@code taskset}
   */
  ApplicationProcess(Application application, long limit, String... prefix) throws IOException {
    this.application = application;
    this.jvm = new ServerJvm(prefix, classPath(application.module), MAIN, "--bench.limit=" + limit);
    this.port = Integer.parseInt(jvm.readAnswer()[0]);
  }

  /** The classes of a module, and the class path that its build has written. */
  private static String classPath(String module) throws IOException {
    Path target = benchmarks().resolve(Path.of("applications", module, "target"));
    Path file = target.resolve("class-path.txt");
    if (!Files.exists(file)) {
      throw new IllegalStateException("not found: " + file + "; build it with mvn package");
    }
    return target.resolve("classes")
        + File.pathSeparator
        + Files.readString(file).strip();
  }

  /** The folder of this module; its classes are in {@code target/classes} or a jar beside. */
  private static Path benchmarks() {
    try {
      Path classes = Path.of(ApplicationProcess.class
          .getProtectionDomain()
          .getCodeSource()
          .getLocation()
          .toURI());
      return classes.resolve(Path.of("..", "..")).normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  Outcome send(Scenario scenario, int millis) throws IOException {
    String text = "GET " + application.path + " HTTP/1.1\r\n"
        + "Host: 127.0.0.1:" + port + "\r\n"
        + "Accept: text/plain\r\n"
        + "User-Agent: tidegate-benchmark/1.0\r\n"
        + KEY_HEADER + ": " + PreparedRequest.KEY + "\r\n\r\n";
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    PreparedRequest request = PreparedRequest.cycling(text, scenario.keys());
    return LoadGenerator.run(
        Order.unthrottled(millis),
        scenario.connections(),
        () -> new HttpConnection(server, request, Refusals.FAIL));
  }

  double cpuSeconds() {
    return Cpu.seconds(jvm.process());
  }

  @Override
  public void close() throws IOException {
    jvm.close();
  }
}
