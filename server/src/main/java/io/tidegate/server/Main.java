package io.tidegate.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidegate.server.command.Commands;
import io.tidegate.server.command.Failure;
import io.tidegate.server.config.ServerConfig;
import io.tidegate.server.config.Version;
import io.tidegate.server.log.Log;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The program: runs a command, or serves until a signal stops it. */
public final class Main {

  /** Longer than a first response takes, even on a busy machine. */
  private static final Duration FIRST_RESPONSE_TIMEOUT = Duration.ofSeconds(10);

  private Main() {}

  /** Runs the command of the arguments and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(Commands.commandLine(System.getenv(), System.out, System.err, Main::serve)
        .execute(arguments));
  }

  /** Starts a node and returns its exit code when a signal has stopped it. */
  private static int serve(ServerConfig config, PrintStream out) {
    StartupMessage message = new StartupMessage(out, config);
    CompletableFuture<Integer> stopped = new CompletableFuture<>();
    Server server;
    try {
      server = new Server(config, message::firstKeyCreated);
      Signals.onStop(() -> stopped.complete(stop(server)));
      Signals.onReload(server::reload);
      server.run();
    } catch (ServerException e) {
      message.failed();
      throw new Failure(e.getMessage());
    }
    if (server.isStopping()) {
      message.failed();
      return stopped.join();
    }
    message.started(server, sinceStart(server));
    logStart(config, server);
    return stopped.join();
  }

  private static void logStart(ServerConfig config, Server server) {
    List<Object> fields = new ArrayList<>(List.of(
        "version",
        Version.TEXT,
        "region",
        config.region().name(),
        "node",
        config.region().node(),
        "http",
        server.httpPort(),
        "admin",
        server.adminPort()));
    if (config.listen().gateway() != null) {
      fields.addAll(List.of("gateway", server.gatewayPort()));
    }
    Log.info("started", fields.toArray());
  }

  private static int stop(Server server) {
    try {
      server.stop();
      Log.info("stopped");
      return 0;
    } catch (RuntimeException e) {
      Log.error("shutdown failed", e);
      return 1;
    }
  }

  /** The time from the start of the process to its first response, which this method requests. */
  private static Duration sinceStart(Server server) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.adminPort())) {
      socket.setSoTimeout((int) FIRST_RESPONSE_TIMEOUT.toMillis());
      socket
          .getOutputStream()
          .write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      socket.getInputStream().read();
    } catch (IOException e) {
      // The admin port may listen on another address; then the time is measured without a response.
      Log.debug("cannot request the first response", "reason", e.getMessage());
    }
    return Duration.ofMillis(
        System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime());
  }
}
