package io.tidegate.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Browser;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The whole demo with real servers, used through its page. */
class DemoTest {

  private static final Set<Path> FILES_BEFORE = temporaryFiles();
  private static final Demo DEMO = new Demo(line -> {});

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static URI uri;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static PageClient page;

  @BeforeAll
  static void start() {
    uri = DEMO.start(0);
    page = new PageClient(uri);
  }

  /** Checks the end as well: a test of its own would have to start everything again. */
  @AfterAll
  static void endsWithoutProcessesAndFiles() {
    List<ProcessHandle> started = ProcessHandle.current().descendants().toList();
    DEMO.close();
    // MariaDB, three Redis, six nodes and the guard.
    assertThat(started).hasSizeGreaterThanOrEqualTo(11);
    assertThat(started).noneMatch(ProcessHandle::isAlive);
    assertThat(temporaryFiles()).isEqualTo(FILES_BEFORE);
  }

  /** Those of this demo and of the servers. */
  private static Set<Path> temporaryFiles() {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().matches("tidegate-(demo|server)-.*"))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for the end of what an earlier test has broken. */
  private static void awaitHealth() {
    Waiting.untilPassed(Waiting.LONG, () -> {
      for (String region : Fleet.REGIONS) {
        assertThat(page.nodeStates(region)).containsOnly("alive");
        assertThat(page.storeStatus(region, "redis")).isEqualTo("ok");
        assertThat(page.storeStatus(region, "database")).isEqualTo("ok");
      }
    });
  }

  /**
   * Waits until a store is degraded in one region and in no other. A busy machine may slow down the
   * stores of other regions for a moment, so a single look is not enough.
   */
  private static void awaitDegradedAlone(String region, String store) {
    Waiting.untilPassed(Waiting.LONG, () -> {
      for (String each : Fleet.REGIONS) {
        assertThat(page.storeStatus(each, store))
            .as(each)
            .isEqualTo(each.equals(region) ? "degraded" : "ok");
      }
    });
  }

  @Test
  void decidesInAllRegions() {
    Waiting.await("requests of all shapes", () -> page.total("requests") > 2_000);
    assertThat(page.total("admitted")).isPositive();
    Waiting.await(
        "the limit to be used up",
        () -> PageClient.number(page.user("roaming"), "admittedMost") > 0.95 * User.LIMIT);
    Waiting.await("denials", () -> page.total("denied") > 0);
    assertThat(page.total("failed")).isZero();
  }

  @Test
  void showsWhatEachRegionBelieves() {
    Waiting.untilPassed(Waiting.LONG, () -> {
      List<?> samples =
          page.user("roaming").get("samples") instanceof List<?> list ? list : List.of();
      assertThat(samples).isNotEmpty();
      // Time, admitted, reference, and one belief per region.
      assertThat((List<?>) samples.get(samples.size() - 1)).hasSize(6).doesNotContainNull();
    });
  }

  @Test
  void continuesWithoutRedisAndHeals() {
    awaitHealth();
    page.act("stop-redis", "us");
    awaitDegradedAlone("us", "redis");
    long decided = page.total("admitted") + page.total("denied");
    Waiting.await("decisions", () -> page.total("admitted") + page.total("denied") > decided + 500);
    Waiting.await("degraded answers", () -> page.total("degraded") > 0);
    assertThat(page.total("failed")).isZero();

    page.act("start-redis", "us");
    Waiting.await("a healed us", () -> page.storeStatus("us", "redis").equals("ok"));
    assertThat(page.total("failed")).isZero();
  }

  /** The same with the page in a real browser. */
  @Test
  void pageShowsABrokenRedis() {
    awaitHealth();
    try (Browser browser = Browsers.startOrSkip()) {
      browser.open(uri.toString());
      browser.await("#redis-state-eu[data-level=good]");
      browser.click("#redis-eu[data-action=stop-redis]");
      browser.await("#redis-state-eu[data-level=bad]");
      browser.awaitText("#events", "Redis");
      browser.awaitTrue(
          "degraded answers",
          () -> browser.texts("#rate-degraded").stream().anyMatch(rate -> !rate.matches("0|–")));
      browser.click("#redis-eu[data-action=start-redis]");
      browser.await("#redis-state-eu[data-level=good]");
      assertThat(browser.texts("#total-failed")).containsExactly("0");
      assertThat(browser.texts("#legend")).allMatch(legend -> legend.matches(".*believes[0-9].*"));
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void anotherNodeReadsWhenTheReaderIsKilled() {
    awaitHealth();
    Waiting.await("one reader", () -> page.readers("ap").size() == 1);
    String killed = page.readers("ap").get(0);
    page.act("kill-reader", "ap");
    assertThat(page.nodeStates("ap")).contains("killed");
    Waiting.await(
        "another reader",
        () -> page.readers("ap").size() == 1 && !page.readers("ap").contains(killed));
    Waiting.await("a restart", () -> page.nodeStates("ap").equals(List.of("alive", "alive")));
    assertThat(page.total("failed")).isZero();
  }

  @Test
  void aRegionThatIsCutOffIsConnectedAgain() {
    awaitHealth();
    page.act("cut-off", "eu");
    awaitDegradedAlone("eu", "database");
    page.act("reconnect", "eu");
    Waiting.await("a healed eu", () -> page.storeStatus("eu", "database").equals("ok"));
    assertThat(page.total("failed")).isZero();
  }

  /** Regions that share nothing would admit three times the limit. */
  @Test
  void anAttackerGetsLittleMoreThanItsLimit() {
    awaitHealth();
    page.act("start-attacker", null);
    // Each of three regions admits half of the limit before it shares anything; how much more
    // depends on when its rounds of ten seconds fall.
    Waiting.await(
        "the reference design to admit far more",
        () -> PageClient.number(page.user("attacker-1"), "referenceMost") > 1.4 * User.LIMIT);
    // 1.06 times on an idle machine; on a busy one, counts travel longer.
    assertThat(PageClient.number(page.user("attacker-1"), "admittedMost"))
        .isBetween((long) (0.9 * User.LIMIT), 2 * User.LIMIT);
    page.act("stop-attacker", null);
    HttpResponse<String> again =
        page.post("stop-attacker", null, page.token(), "http://" + uri.getAuthority());
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("no attacker is active");
  }

  @Test
  void rejectsActionsOfOtherSites() {
    String own = "http://" + uri.getAuthority();
    assertThat(page.post("burst", null, "guessed", own).statusCode()).isEqualTo(403);
    assertThat(page.post("burst", null, page.token(), "http://evil.example").statusCode())
        .isEqualTo(403);
    HttpResponse<String> unknown = page.post("stop-redis", "mars", page.token(), own);
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("unknown region: mars");
    assertThat(page.post("explode", null, page.token(), own).body())
        .contains("unknown action: explode");
  }

  /** Otherwise a site could change its DNS entry to 127.0.0.1 and read the token. */
  @Test
  void rejectsOtherHosts() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri.getPort())) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
              .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403").doesNotContain(page.token());
    }
  }

  @Test
  void servesFilesThatNeedNoInlineScript() {
    for (String file : List.of("", "demo.js", "chart.js", "demo.css")) {
      HttpResponse<String> response = page.get(file);
      assertThat(response.statusCode()).as(file).isEqualTo(200);
      assertThat(response.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'none'")
          .doesNotContain("unsafe");
    }
    assertThat(page.get("").body()).doesNotContain("style=\"").doesNotContain(" onclick");
    assertThat(page.get("secret").statusCode()).isEqualTo(404);
  }
}
