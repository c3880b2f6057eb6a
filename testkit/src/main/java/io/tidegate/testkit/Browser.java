package io.tidegate.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium with one page. Needs Debian's packages {@code chromium} and
 * {@code chromium-driver}, or the same programs elsewhere on the PATH.
 */
public final class Browser implements AutoCloseable {

  /** Far longer than a page takes, so that no test fails on a busy machine. */
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Path profile;
  private final ChromeDriver driver;

  private Browser(Path profile, ChromeDriver driver) {
    this.profile = profile;
    this.driver = driver;
  }

  /**
   * Starts a browser.
   *
   * @throws PipBinary.UnavailableException if it is not installed
   */
  public static Browser start() {
    Path chromium = find("chromium");
    Path chromedriver = find("chromedriver");
    try {
      Path profile = Files.createTempDirectory("tidegate-browser");
      ChromeOptions options = new ChromeOptions();
      options.setBinary(chromium.toString());
      options.addArguments(
          "--headless=new",
          "--no-sandbox", // root cannot use it, and all pages are ours
          "--disable-gpu",
          "--disable-quic",
          "--disable-dev-shm-usage",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--force-color-profile=srgb",
          "--hide-scrollbars",
          "--user-data-dir=" + profile,
          "--window-size=1400,1000");
      LoggingPreferences logs = new LoggingPreferences();
      logs.enable(LogType.BROWSER, Level.ALL);
      options.setCapability("goog:loggingPrefs", logs);
      ChromeDriverService service = new ChromeDriverService.Builder()
          .usingDriverExecutable(chromedriver.toFile())
          .usingAnyFreePort()
          .build();
      return new Browser(profile, new ChromeDriver(service, options));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path find(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new PipBinary.UnavailableException(
            program + " is not installed; on Debian: apt-get install chromium chromium-driver"));
  }

  /** Opens a page. */
  public void open(String url) {
    driver.get(url);
  }

  /** Sets the size of the page, in CSS pixels. */
  public void resize(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Shows the page as a user with a dark or a light theme sees it. */
  public void prefer(String colorScheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colorScheme))));
  }

  /** Waits until an element exists, and returns the first one. */
  public WebElement await(String selector) {
    awaitTrue(selector, () -> !driver.findElements(By.cssSelector(selector)).isEmpty());
    return driver.findElement(By.cssSelector(selector));
  }

  /** Waits until the text of an element contains a part. */
  public void awaitText(String selector, String part) {
    awaitTrue(
        "'" + part + "' in " + selector,
        () -> driver.findElements(By.cssSelector(selector)).stream()
            .anyMatch(element -> text(element).contains(part)));
  }

  /** Types into an empty field. */
  public void type(String selector, String text) {
    WebElement field = await(selector);
    field.clear();
    field.sendKeys(text);
  }

  /** Clicks an element, wherever the page has been scrolled to. */
  public void click(String selector) {
    WebElement element = await(selector);
    run("arguments[0].scrollIntoView({block: 'center'})", element);
    element.click();
  }

  /** The texts of all matching elements, also of those outside of the screen. */
  public List<String> texts(String selector) {
    return driver.findElements(By.cssSelector(selector)).stream()
        .map(this::text)
        .toList();
  }

  private String text(WebElement element) {
    return String.valueOf(run("return arguments[0].textContent", element));
  }

  /** Runs a script in the page. */
  public Object run(String script, Object... arguments) {
    Object result = ((JavascriptExecutor) driver).executeScript(script, arguments);
    return result == null ? "" : result;
  }

  /** The errors and warnings that the page has caused, such as violations of its policy. */
  public List<String> errors() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  /** Takes a picture of the visible part of the page, as a PNG. */
  public byte[] screenshot() {
    return driver.getScreenshotAs(OutputType.BYTES);
  }

  /** A condition of the page. */
  public interface Condition {
    boolean holds();
  }

  /** Waits for a condition of the page. Elements may be replaced meanwhile. */
  public void awaitTrue(String what, Condition condition) {
    boolean held = Waiting.until(LONG, () -> {
      try {
        return condition.holds();
      } catch (StaleElementReferenceException e) {
        return false;
      }
    });
    if (!held) {
      throw new AssertionError("waited in vain for " + what + " in:\n"
          + run("return document.body.innerText") + "\n" + errors());
    }
  }

  @Override
  public void close() {
    driver.quit();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("cannot delete the profile of the browser in " + profile + ": " + e);
    }
  }
}
