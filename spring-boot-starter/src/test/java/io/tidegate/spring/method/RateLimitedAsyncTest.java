package io.tidegate.spring.method;

import static io.tidegate.spring.method.RateLimitedTest.allowed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.spring.test.AutoConfigureTidegate;
import io.tidegate.testing.InMemoryOrigin;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Methods that return stages and publishers, with an origin that answers when the test says so; and
 * methods that other parts of Spring intercept as well.
 */
class RateLimitedAsyncTest {

  private static ConfigurableApplicationContext application;
  private static InMemoryOrigin origin;
  private static Mails mails;

  @BeforeAll
  static void start() {
    application = new SpringApplicationBuilder(Application.class)
        .web(WebApplicationType.NONE)
        .run("--spring.main.banner-mode=off");
    origin = application.getBean(InMemoryOrigin.class);
    mails = application.getBean(Mails.class);
  }

  @AfterEach
  void release() {
    origin.release();
  }

  @AfterAll
  static void stop() {
    application.close();
  }

  @Test
  void deniedStageFailsAndDoesNotThrow() {
    assertThat(mails.send("ann").join()).isEqualTo("sent to ann");
    CompletableFuture<String> denied = mails.send("ann");
    assertThatThrownBy(denied::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(RateLimitedException.class);
    assertThat(mails.sent("ann")).isOne();
  }

  @Test
  void stageWaitsForTheOriginWithoutAThread() throws Exception {
    origin.hold();
    CompletableFuture<String> sent = mails.send("slow");
    assertThat(sent).isNotDone();
    assertThat(mails.sent("slow")).isZero();
    origin.release();
    assertThat(sent.get(10, TimeUnit.SECONDS)).isEqualTo("sent to slow");
    assertThat(mails.sent("slow")).isOne();
  }

  @Test
  void stageThatWaitedIsDenied() {
    mails.send("busy").join();
    origin.hold();
    CompletionStage<String> denied = mails.send("busy"); // strict after the denial, so it may wait
    origin.release();
    assertThatThrownBy(() -> denied.toCompletableFuture().get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RateLimitedException.class);
  }

  @Test
  void fallbackOfAStageReturnsAStage() {
    assertThat(mails.sendOrQueue().toCompletableFuture().join()).isEqualTo("sent");
    assertThat(mails.sendOrQueue().toCompletableFuture().join()).isEqualTo("queued");
  }

  @Test
  void publisherIsDecidedOnOnceForEachSubscription() {
    Mono<String> ann = mails.mono("ann");
    mails.mono("ann");
    mails.mono("ann"); // without a subscription nothing is charged
    assertThat(mails.sent("mono ann")).isZero();
    assertThat(ann.block()).isEqualTo("mono ann");
    assertThat(ann.block()).isEqualTo("mono ann");
    assertThatThrownBy(ann::block).isInstanceOf(RateLimitedException.class);
    assertThat(mails.sent("mono ann")).isEqualTo(2);
    assertThat(mails.mono("bob").block()).isEqualTo("mono bob");
  }

  @Test
  void deniedFluxFailsBeforeItsFirstElement() {
    Flux<Integer> numbers = mails.flux();
    assertThat(numbers.collectList().block()).isEqualTo(List.of(1, 2, 3));
    assertThatThrownBy(numbers::blockFirst).isInstanceOf(RateLimitedException.class);
  }

  @Test
  void otherReactiveTypesAreLimitedAsWell() {
    Flow.Publisher<String> flow = mails.flow();
    assertThat(JdkFlowAdapter.flowPublisherToFlux(flow).blockFirst()).isEqualTo("flow");
    assertThatThrownBy(() -> JdkFlowAdapter.flowPublisherToFlux(flow).blockFirst())
        .isInstanceOf(RateLimitedException.class);
  }

  @Test
  void publisherWaitsForTheOriginWithoutAThread() throws Exception {
    origin.hold();
    CompletableFuture<String> sent = mails.mono("slow").toFuture();
    assertThat(sent).isNotDone();
    assertThat(mails.sent("mono slow")).isZero();
    origin.release();
    assertThat(sent.get(10, TimeUnit.SECONDS)).isEqualTo("mono slow");
  }

  @Test
  void fallbackOfAPublisherReturnsAPublisher() {
    assertThat(mails.monoOrQueue("a").block()).isEqualTo("sent a");
    assertThat(mails.monoOrQueue("b").block()).isEqualTo("queued b because of mono or queue");
  }

  @Test
  void exceptionsOfTheMethodStayAsTheyAre() {
    assertThatThrownBy(() -> mails.failing().block()).hasMessage("of the method");
    assertThatThrownBy(() -> mails.failingStage())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("of the method");
  }

  @Test
  void deniedCallStartsNoTransaction() {
    Transactions transactions = application.getBean(Transactions.class);
    assertThat(allowed(5, application.getBean(Bookings.class)::book)).isEqualTo(2);
    assertThat(transactions.begun.get()).isEqualTo(2);
    assertThat(transactions.committed.get()).isEqualTo(2);
  }

  @Test
  void otherInterceptorsSeeEachSubscription() {
    AtomicInteger seen = application.getBean("seen", AtomicInteger.class);
    Mono<String> mono = mails.mono("watched");
    mono.block();
    mono.block();
    assertThat(seen).hasValue(2);
  }

  @Test
  void asyncMethodIsLimitedAndFailsItsFuture() throws Exception {
    Bookings bookings = application.getBean(Bookings.class);
    assertThat(bookings.later().get(10, TimeUnit.SECONDS)).startsWith("task-");
    assertThatThrownBy(() -> bookings.later().get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(RateLimitedException.class);
  }

  static class Mails {

    private final List<String> sent = new java.util.concurrent.CopyOnWriteArrayList<>();

    public long sent(String mail) {
      return sent.stream().filter(mail::equals).count();
    }

    @RateLimited(name = "mails", key = "#user", limit = 1)
    public CompletableFuture<String> send(String user) {
      sent.add(user);
      return CompletableFuture.completedFuture("sent to " + user);
    }

    @RateLimited(name = "queue", limit = 1, fallback = "queue")
    public CompletionStage<String> sendOrQueue() {
      return CompletableFuture.completedFuture("sent");
    }

    CompletionStage<String> queue() {
      return CompletableFuture.completedFuture("queued");
    }

    @RateLimited(name = "mono", key = "#user", limit = 2)
    public Mono<String> mono(String user) {
      sent.add("mono " + user);
      return Mono.just("mono " + user);
    }

    @RateLimited(name = "flux", limit = 1)
    public Flux<Integer> flux() {
      return Flux.just(1, 2, 3);
    }

    @RateLimited(name = "flow", limit = 1)
    public Flow.Publisher<String> flow() {
      return JdkFlowAdapter.publisherToFlowPublisher(Mono.just("flow"));
    }

    @RateLimited(name = "mono or queue", limit = 1, fallback = "queueMono")
    public Mono<String> monoOrQueue(String mail) {
      return Mono.just("sent " + mail);
    }

    Mono<String> queueMono(String mail, RateLimitedException denial) {
      return Mono.just(
          "queued " + mail + " because of " + denial.decisions().get(0).policy());
    }

    @RateLimited(name = "failing", limit = 100)
    public Mono<String> failing() {
      throw new IllegalStateException("of the method");
    }

    @RateLimited(name = "failing stage", limit = 100)
    public CompletionStage<String> failingStage() {
      throw new IllegalStateException("of the method");
    }
  }

  static class Bookings {

    @Transactional
    @RateLimited(name = "bookings", limit = 2)
    public void book() {}

    @Async
    @RateLimited(name = "later", limit = 1)
    public CompletableFuture<String> later() {
      return CompletableFuture.completedFuture(Thread.currentThread().getName());
    }
  }

  /** Counts transactions; Spring itself begins and commits them as with a database. */
  static class Transactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1;

    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger committed = new AtomicInteger();

    @Override
    protected Object doGetTransaction() {
      return this;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
      begun.incrementAndGet();
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
      committed.incrementAndGet();
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @AutoConfigureTidegate
  @EnableAsync
  @EnableTransactionManagement
  @Import({Mails.class, Bookings.class, Transactions.class})
  static class Application {

    @Bean
    static AtomicInteger seen() {
      return new AtomicInteger();
    }

    /** Intercepts calls for the key "watched", after the limit. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor watcher(AtomicInteger seen) {
      NameMatchMethodPointcutAdvisor watcher =
          new NameMatchMethodPointcutAdvisor((MethodInterceptor) invocation -> {
            if (invocation.getArguments()[0].equals("watched")) {
              seen.incrementAndGet();
            }
            return invocation.proceed();
          });
      watcher.setMappedName("mono");
      return watcher;
    }

    @Bean
    InMemoryOrigin origin() {
      return new InMemoryOrigin();
    }
  }
}
