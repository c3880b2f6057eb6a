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
import java.util.concurrent.CompletableFuture;

/** The program. */
public final class Main {

  /** How long a node may take for its first answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Main() {}

  /** Does what the arguments say, and ends the JVM with 0 if that went well. */
  public static void main(String[] arguments) {
    System.exit(Commands.commandLine(System.getenv(), System.out, System.err, Main::serve)
        .execute(arguments));
  }

  /** Starts a node, says so, and returns when a signal has ended it. */
  private static int serve(ServerConfig config, PrintStream out) {
    Announcement announcement = new Announcement(out, config);
    CompletableFuture<Integer> stopped = new CompletableFuture<>();
    Server server;
    try {
      server = new Server(config, announcement::firstKeyMade);
      Signals.onStop(() -> stopped.complete(stop(server)));
      Signals.onReload(server::reload);
      server.run();
    } catch (ServerException e) {
      announcement.failed();
      throw new Failure(e.getMessage());
    }
    if (server.isStopping()) {
      announcement.failed();
      return stopped.join();
    }
    announcement.answers(server, sinceStart(server));
    Log.info(
        "started",
        "version",
        Version.TEXT,
        "region",
        config.region(),
        "node",
        config.node(),
        "http",
        server.httpPort(),
        "admin",
        server.adminPort());
    return stopped.join();
  }

  private static int stop(Server server) {
    try {
      server.stop();
      Log.info("stopped");
      return 0;
    } catch (RuntimeException e) {
      Log.error("did not stop as it should", e);
      return 1;
    }
  }

  /** From the start of the process to its first answer, which is asked for here. */
  private static Duration sinceStart(Server server) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.adminPort())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket
          .getOutputStream()
          .write("GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      socket.getInputStream().read();
    } catch (IOException e) {
      Log.debug("the first answer was not seen", "reason", e.getMessage()); // it listens elsewhere
    }
    return Duration.ofMillis(
        System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime());
  }
}
