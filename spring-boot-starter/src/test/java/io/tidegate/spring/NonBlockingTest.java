package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spring.testing.Front;
import io.tidegate.spring.testing.TestApplication;
import io.tidegate.testkit.RedisServer;
import java.security.Principal;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** No event loop of a WebFlux application waits, also if a decision has to read Redis. */
class NonBlockingTest {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(Controller.class)
  static class App {

    /** Stands where Spring Security is, and authenticates everybody. */
    @Bean
    @Order(-100)
    WebFilter ann() {
      Principal ann = () -> "ann";
      return (exchange, chain) ->
          chain.filter(exchange.mutate().principal(Mono.just(ann)).build());
    }
  }

  /** Has one handler that blocks, to show that the check finds it. */
  @RestController
  static class Controller {

    @GetMapping("/api/good")
    String good() {
      return Thread.currentThread().getName();
    }

    @GetMapping("/bad")
    String bad() throws InterruptedException {
      Thread.sleep(300);
      return "blocked";
    }
  }

  /** Samples the threads that must not wait, about every millisecond. */
  private static final class Watch implements AutoCloseable {

    /** What a thread that waits, sleeps or blocks runs last. */
    private static final Set<String> WAITS = Set.of("park", "wait", "wait0", "sleep", "sleep0");

    private final Queue<String> waits = new ConcurrentLinkedQueue<>();
    private final Thread sampler = new Thread(this::sample, "watch");
    private volatile boolean stopped;

    Watch() {
      sampler.start();
    }

    private void sample() {
      while (!stopped) {
        Thread.getAllStackTraces().forEach((thread, stack) -> {
          if (isEventLoop(thread) && stack.length > 0 && WAITS.contains(stack[0].getMethodName())) {
            record(thread, Arrays.toString(stack));
          }
        });
        Thread.onSpinWait();
      }
    }

    private static boolean isEventLoop(Thread thread) {
      return thread.getName().startsWith("reactor-http")
          || thread.getName().startsWith("parallel-");
    }

    /**
     * Records a wait for something: an idle thread has no frame of ours, and a lock of Lettuce or
     * of a queue is held only while memory is copied.
     */
    private void record(Thread thread, String stack) {
      if (stack.contains("io.tidegate.") && !stack.contains("ReentrantLock")) {
        waits.add(thread.getName() + " " + stack);
      }
    }

    @Override
    public void close() {
      stopped = true;
    }
  }

  @Test
  void coldReadsOfRedisBlockNothing() {
    try (RedisServer redis = RedisServer.start();
        TestApplication app = TestApplication.start(
            Front.WEBFLUX,
            App.class,
            "tidegate.redis-uri=" + redis.uri(),
            "tidegate.rules[0].name=early",
            "tidegate.rules[0].path=/api/**",
            "tidegate.rules[0].key=header('X-Api-Key')",
            "tidegate.rules[0].limit=1000000",
            "tidegate.rules[0].window=1h",
            "tidegate.rules[1].name=late",
            "tidegate.rules[1].path=/api/**",
            "tidegate.rules[1].key=principal + header('X-Api-Key')",
            "tidegate.rules[1].limit=1000000",
            "tidegate.rules[1].window=1h")) {
      app.get("/api/good", "X-Api-Key", "first");
      try (Watch watch = new Watch()) {
        // Each request has a key of its own, and reads Redis for both rules.
        assertThat(load(app, 20, "k")).containsOnlyKeys(200);
        assertThat(app.get("/api/good", "X-Api-Key", "last").body())
            .as("not a thread of Lettuce or of the limiter")
            .matches("(parallel-|reactor-http).*"); // the latter if Redis has answered already
        redis.pause(); // reads take the 300 ms after which decisions are made from memory
        assertThat(load(app, 1, "p")).containsOnlyKeys(200);
        redis.resume();
        assertThat(watch.waits).isEmpty();

        app.get("/bad");
        assertThat(watch.waits).as("the check works").anyMatch(each -> each.contains("bad"));
      }
    }
  }

  private static Map<Integer, Integer> load(TestApplication app, int perThread, String key) {
    return TestApplication.load(50, perThread, i -> app.get("/api/good", "X-Api-Key", key + i));
  }
}
