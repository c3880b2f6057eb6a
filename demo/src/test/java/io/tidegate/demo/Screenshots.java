package io.tidegate.demo;

import io.tidegate.testkit.Browser;
import io.tidegate.testkit.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Takes the pictures of the documentation. Not part of a build: {@code mvn test -pl demo -am
 * -Dtest=Screenshots -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class Screenshots {

  private static final Path DIRECTORY = Path.of("..", "docs", "images");

  @Test
  void takeAll() throws IOException {
    try (Demo demo = new Demo(line -> {});
        Browser browser = Browser.start()) {
      URI uri = demo.start(0);
      PageClient page = new PageClient(uri);
      browser.open(uri.toString());
      browser.resize(1280, 860);
      Waiting.until(
          Duration.ofMinutes(3),
          () -> PageClient.number(page.user("roaming"), "referenceMost") > 1.5 * User.LIMIT);
      page.act("start-attacker", null);
      browser.click("#user-attacker");
      Waiting.until(
          Duration.ofMinutes(2),
          () -> PageClient.number(page.user("attacker-1"), "referenceMost") >= 3 * User.LIMIT);
      save(browser, "demo.png");

      browser.open(
          String.valueOf(browser.run("return document.querySelector('#node-us-1 a').href")));
      browser.resize(1400, 1560);
      browser.await("#connection[data-state=live]");
      browser.type("#inspect-namespace", "api");
      browser.type("#inspect-identifier", "attacker-1");
      browser.click("#inspect-submit");
      browser.await("#inspect-result .verdict");
      page.act("stop-redis", "ap");
      browser.await("[data-dependency=origin][data-status=degraded]");
      Waiting.until(Duration.ofSeconds(40), () -> false); // fills the charts
      browser.click("#inspect-refresh");
      browser.run("window.scrollTo(0, 0)");
      save(browser, "console.png");
      browser.prefer("dark");
      save(browser, "console-dark.png");
    }
  }

  private static void save(Browser browser, String name) throws IOException {
    Files.createDirectories(DIRECTORY);
    Files.write(DIRECTORY.resolve(name), browser.screenshot());
  }
}
