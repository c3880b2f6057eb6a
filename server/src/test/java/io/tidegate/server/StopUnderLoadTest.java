package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with persistent connections, which do not check whether a node is ready. */
@Timeout(180)
class StopUnderLoadTest {

  private static final int CLIENTS = 8;

  @TempDir
  private Path data;

  /** The failures of requests that were sent but not answered. */
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

  private final AtomicInteger answers = new AtomicInteger();

  /** The behaviour of a client after an answer with {@code connection: close}. */
  private enum Client {
    /** Sends no more requests to this node, as behind a load balancer. */
    LEAVES,
    /** Opens a new connection to the same node, until the node accepts none. */
    RECONNECTS
  }

  /** An answer closes the connection, and a client has the whole delay for its next request. */
  @Test
  void clientsThatLeaveAreAlwaysAnswered() throws Exception {
    stopUnderLoad("3s", Client.LEAVES);
    assertThat(unanswered).as("of " + answers).isEmpty();
  }

  /**
   * When the port is closed, the operating system resets connections that are not accepted yet, at
   * most one of each client. All others are answered.
   */
  @Test
  void clientsThatReconnectAreAnsweredOnAcceptedConnections() throws Exception {
    stopUnderLoad("500ms", Client.RECONNECTS);
    assertThat(unanswered)
        .as("of " + answers)
        .hasSizeLessThanOrEqualTo(CLIENTS)
        .allMatch(failure -> failure.contains("after 0 answers"));
  }

  private void stopUnderLoad(String stopDelay, Client behaviour) throws Exception {
    try (NodeProcess node = NodeProcess.start("--data=" + data, "--stop-delay=" + stopDelay)) {
      int port = node.uri("/").getPort();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Thread client = new Thread(() -> sendUntilTheEnd(port, behaviour), "client-" + i);
        client.start();
        clients.add(client);
      }
      node.await("answers", () -> answers.get() > 1_000);
      node.terminate();
      assertThat(node.exitCode()).as(node::toString).isZero();
      assertThat(node.warnings()).isEmpty();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private void sendUntilTheEnd(int port, Client behaviour) {
    do {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout((int) NodeProcess.LONG.toMillis());
        boolean open = true;
        for (int sent = 0; open; sent++) {
          open = send(socket, sent);
        }
      } catch (ConnectException e) {
        return; // the port is closed
      } catch (SocketException e) { // the port was closed while the client connected
        unanswered.add("after 0 answers: " + e);
      } catch (IOException e) {
        unanswered.add(e.toString());
      }
    } while (behaviour == Client.RECONNECTS);
  }

  /** Sends a request; returns whether the connection stays open. */
  private boolean send(Socket socket, int sentBefore) throws IOException {
    String answer;
    try {
      socket
          .getOutputStream()
          .write("GET /v2/liveness HTTP/1.1\r\nHost: node\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      answer = read(socket.getInputStream());
    } catch (IOException e) {
      throw new IOException("after " + sentBefore + " answers: " + e, e);
    }
    if (!answer.endsWith("}}")) {
      throw new IOException("after " + sentBefore + " answers: end of stream");
    }
    answers.incrementAndGet();
    return !answer.contains("connection: close");
  }

  /** Reads one answer, up to the braces that end its body, or until the connection ends. */
  private static String read(InputStream in) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.length() < 2 || !answer.substring(answer.length() - 2).equals("}}")) {
      int c = in.read();
      if (c < 0) {
        break;
      }
      answer.append((char) c);
    }
    return answer.toString();
  }
}
