package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.testkit.Browser;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of the console in a real browser. */
@Timeout(240)
class ConsoleBrowserTest {

  private static final String IMAGE = "<img src=x onerror=\"window.hacked=1\">";
  private static final String SCRIPT = "<script>window.hacked=1</script>";

  private Browser browser;

  @BeforeEach
  void open() {
    browser = Programs.orSkip(Browser::start);
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void showsHostileNamesAsText() {
    try (Node node = Node.start()) {
      String bidi = "user_\u202egnp.exe";
      String longest = "x".repeat(512);
      for (String identifier : List.of(IMAGE, bidi, longest, "line\nbreak", "nul\u0000byte")) {
        take(node, SCRIPT, identifier);
        take(node, SCRIPT, identifier);
      }
      browser.open(node.adminUri("/console/").toString());
      browser.await("#connection[data-state=live]");
      browser.awaitText("#denials-rows", IMAGE);
      browser.awaitText("#denials-rows", "user_\\u202Egnp.exe");
      browser.awaitText("#denials-rows", "line\\nbreak");
      browser.awaitText("#namespaces-table", SCRIPT);
      assertThat(browser.texts("#denials-rows")).allMatch(text -> !text.contains("\u202e"));
      assertThat(browser.run("return window.hacked === undefined")).isEqualTo(true);
      assertThat(browser.run("return document.images.length")).isEqualTo(0L);
      browser.resize(360, 800);
      assertThat(browser.run("return document.documentElement.scrollWidth <= window.innerWidth"))
          .isEqualTo(true);
      assertThat(browser.run("return location.href"))
          .isEqualTo(node.adminUri("/console/").toString());
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void answersQuestionsMakesDecisionsAndEditsOverrides() {
    try (Node node = Node.start()) {
      for (int i = 0; i < 4; i++) {
        take(node, "login", "user_42");
      }
      browser.open(node.adminUri("/console/").toString());
      browser.await("#connection[data-state=live]");
      browser.type("#inspect-namespace", "login");
      browser.type("#inspect-identifier", "user_42");
      browser.click("#inspect-submit");
      browser.await("#inspect-result .verdict[data-allowed=false]");
      browser.awaitText("#inspect-result .effective", "1");

      browser.type("#overrides-namespace", "login");
      browser.type("#override-identifier", "user_*");
      browser.type("#override-limit", "50");
      browser.type("#override-window", "1d");
      browser.type("#override-root-key", node.key());
      browser.click("#override-set");
      browser.await("tr[data-override]");
      browser.click("#inspect-refresh");
      browser.await("#inspect-result .verdict[data-allowed=true]");

      browser.type("#try-namespace", "login");
      browser.type("#try-identifier", "user_43");
      browser.type("#try-limit", "1");
      browser.type("#try-window", "1d");
      browser.type("#try-root-key", node.key());
      browser.click("#try-submit");
      browser.await("#try-results li[data-allowed=true]");
      browser.awaitText("#try-results", "49");
      assertThat(
              browser.run("return JSON.stringify(sessionStorage) + JSON.stringify(localStorage)"))
          .asString()
          .doesNotContain(node.key());
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void asksForTheToken() {
    try (Node node = Node.start("--admin-token=0123456789abcdefghij")) {
      browser.open(node.adminUri("/console/").toString());
      browser.await("#token-dialog[open]");
      browser.type("#token-input", "wrong-token-0123456789");
      browser.click("#token-submit");
      browser.awaitText("#token-error", "wrong");
      browser.type("#token-input", "0123456789abcdefghij");
      browser.click("#token-submit");
      browser.await("#connection[data-state=live]");
    }
  }

  @Test
  void showsNodesThatGoAway() {
    try (Fleet fleet = Fleet.startOfOne()) {
      NodeProcess here = fleet.nodes(Fleet.HERE).get(0);
      NodeProcess abroad = fleet.nodes(Fleet.ABROAD).get(0);
      browser.open(here.adminUri("/console/").toString());
      browser.awaitTrue(
          "two nodes that work",
          () -> browser.texts("[data-node][data-state=ok]").size() == 2);
      abroad.kill();
      browser.await("[data-node][data-state=gone]");
      browser.awaitText("#status-text", "gone");
      here.kill();
      browser.await("#connection[data-state=reconnecting]");
    }
  }

  private static void take(Node node, String namespace, String identifier) {
    assertThat(node.ask(
                "limit",
                Json.object(
                    "namespace",
                    namespace,
                    "identifier",
                    identifier,
                    "limit",
                    1,
                    "duration",
                    86_400_000))
            .status())
        .isEqualTo(200);
  }
}
