package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
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

/** Clients that keep their connections, and do not notice that a node is about to stop. */
@Timeout(180)
class StopUnderLoadTest {

  private static final int CLIENTS = 8;

  @TempDir
  private Path data;

  /** A request that was sent and not answered, with what happened instead. */
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

  private final AtomicInteger answers = new AtomicInteger();

  /** What a client does when it is asked to come back over another connection. */
  private enum Client {
    /** Goes to another node, as behind a load balancer. */
    LEAVES,
    /** Opens a connection to the same node, until none is accepted. */
    COMES_BACK
  }

  /** A client is asked to leave with an answer; it has the whole delay for its next request. */
  @Test
  void clientsThatLeaveWhenAskedToAreAlwaysAnswered() throws Exception {
    stopUnderLoad("3s", Client.LEAVES);
    assertThat(unanswered).as("of " + answers).isEmpty();
  }

  /**
   * The operating system resets what waits to be accepted when the port is closed, at most one
   * connection of each client. All others are answered.
   */
  @Test
  void clientsThatComeBackUntilThePortIsClosedAreAnsweredOnceAccepted() throws Exception {
    stopUnderLoad("500ms", Client.COMES_BACK);
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
        Thread client = new Thread(() -> askUntilTheEnd(port, behaviour), "client-" + i);
        client.start();
        clients.add(client);
      }
      node.await("answers", () -> answers.get() > 1_000);
      node.terminate();
      assertThat(node.exitCode()).as(node::toString).isZero();
      assertThat(node.complaints()).isEmpty();
      for (Thread client : clients) {
        client.join();
      }
    }
  }

  private void askUntilTheEnd(int port, Client behaviour) {
    do {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout((int) NodeProcess.LONG.toMillis());
        boolean open = true;
        for (int asked = 0; open; asked++) {
          open = ask(socket, asked);
        }
      } catch (ConnectException e) {
        return; // the port is closed
      } catch (IOException e) {
        unanswered.add(e.toString());
      }
    } while (behaviour == Client.COMES_BACK);
  }

  /** Whether the connection stays open. */
  private boolean ask(Socket socket, int askedBefore) throws IOException {
    String answer;
    try {
      socket
          .getOutputStream()
          .write("GET /v2/liveness HTTP/1.1\r\nHost: node\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      answer = read(socket.getInputStream());
    } catch (IOException e) {
      throw new IOException("after " + askedBefore + " answers: " + e, e);
    }
    if (!answer.endsWith("}}")) {
      throw new IOException("after " + askedBefore + " answers: end of stream");
    }
    answers.incrementAndGet();
    return !answer.contains("connection: close");
  }

  /** One answer, up to the braces that end its body, or all there is. */
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
