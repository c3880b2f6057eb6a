package io.tidegate.spring.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * A running application with an HTTP client.
 *
 * <pre>{@code
 * try (TestApplication app = TestApplication.start(Front.MVC, Config.class, "tidegate.rules[0].name=api", ...)) {
 *   assertThat(app.get("/api").statusCode()).isEqualTo(200);
 * }
 * }</pre>
 */
public final class TestApplication implements AutoCloseable {

  /** The server of WebFlux, in Spring Boot 3.5 and 4.0. */
  private static final List<String> NETTY = List.of(
      "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory",
      "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory");

  private final ConfigurableApplicationContext context;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private TestApplication(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /**
   * Starts an application.
   *
   * @param configuration a class with {@code @EnableAutoConfiguration}
   * @param properties as {@code name=value}
   */
  public static TestApplication start(Front front, Class<?> configuration, String... properties) {
    return new TestApplication(run(front.type, configuration, properties));
  }

  /** Starts an application without a web server. */
  public static ConfigurableApplicationContext startWithoutWeb(
      Class<?> configuration, String... properties) {
    return run(WebApplicationType.NONE, configuration, properties);
  }

  private static ConfigurableApplicationContext run(
      WebApplicationType type, Class<?> configuration, String... properties) {
    SpringApplication application = new SpringApplication(configuration);
    application.setWebApplicationType(type);
    application.setRegisterShutdownHook(false);
    if (type == WebApplicationType.REACTIVE) {
      application.addInitializers(TestApplication::addNetty);
    }
    List<String> arguments = new ArrayList<>(
        List.of("--server.port=0", "--spring.main.banner-mode=off", "--spring.jmx.enabled=false"));
    for (String property : properties) {
      arguments.add("--" + property);
    }
    return application.run(arguments.toArray(String[]::new));
  }

  /** Makes WebFlux run on Netty: Spring Boot prefers Tomcat, which the tests of MVC need. */
  private static void addNetty(ConfigurableApplicationContext context) {
    ClassLoader loader = TestApplication.class.getClassLoader();
    Class<?> factory = NETTY.stream()
        .filter(name -> ClassUtils.isPresent(name, loader))
        .<Class<?>>map(name -> ClassUtils.resolveClassName(name, loader))
        .findFirst()
        .orElseThrow();
    ((GenericApplicationContext) context).registerBean("testServer", factory);
  }

  /** Starts an application that must not start, and returns what Spring Boot printed. */
  public static String failure(Front front, Class<?> configuration, String... properties) {
    Analyses.take();
    try {
      start(front, configuration, properties).close();
      throw new AssertionError("the application started with " + List.of(properties));
    } catch (RuntimeException e) {
      FailureAnalysis analysis = Analyses.take();
      assertThat(analysis).as("no analysis of " + e).isNotNull();
      return analysis.getDescription() + "\nAction: " + analysis.getAction();
    }
  }

  public ConfigurableApplicationContext context() {
    return context;
  }

  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  /** Sends a GET, with headers as names and values in turn. */
  public HttpResponse<String> get(String path, String... headers) {
    return send("GET", path, headers);
  }

  public HttpResponse<String> send(String method, String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + port() + path))
        .timeout(Duration.ofSeconds(30))
        .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends GETs one after the other and returns their statuses. */
  public List<Integer> statuses(int count, String path, String... headers) {
    return IntStream.range(0, count)
        .mapToObj(i -> get(path, headers).statusCode())
        .toList();
  }

  /** Sends requests from many threads at once and counts the answers by status. */
  public static Map<Integer, Integer> load(
      int threads, int requestsPerThread, IntFunction<HttpResponse<String>> request) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CountDownLatch start = new CountDownLatch(1);
    List<CompletableFuture<List<Integer>>> all = IntStream.range(0, threads)
        .mapToObj(thread -> CompletableFuture.supplyAsync(
            () -> {
              await(start);
              return IntStream.range(0, requestsPerThread)
                  .mapToObj(i -> request.apply(thread * requestsPerThread + i).statusCode())
                  .toList();
            },
            executor))
        .toList();
    start.countDown();
    Map<Integer, Integer> counts = new TreeMap<>();
    all.forEach(each -> each.join().forEach(status -> counts.merge(status, 1, Integer::sum)));
    executor.shutdown();
    return counts;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
