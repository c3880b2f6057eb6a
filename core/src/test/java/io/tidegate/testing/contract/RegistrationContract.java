package io.tidegate.testing.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.spi.LiveNodes;
import io.tidegate.spi.RegionalOrigin;
import io.tidegate.spi.Registration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The part of {@link RegionalOriginContract} on nodes and regions: registrations, the reader and
 * the identity.
 */
abstract class RegistrationContract {

  /**
   * The origin under test. Its store is empty when the first test of the class starts. Tests use
   * series and regions of their own, so that the store need not be emptied between them.
   *
   * @return the same origin, or another connection to the same store, during one test
   */
  protected abstract RegionalOrigin origin();

  private LiveNodes register(String region, String node, Duration lifetime, boolean canRead) {
    return origin()
        .register(new Registration(region, node, lifetime, canRead))
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private int register(String region, String node, Duration lifetime) {
    return register(region, node, lifetime, false).count();
  }

  /** Registers a node for longer than a test takes. */
  private LiveNodes register(String region, String node, boolean canRead) {
    return register(region, node, Duration.ofMinutes(1), canRead);
  }

  private static LiveNodes live(int count, String reader) {
    return new LiveNodes(count, Optional.of(reader), false);
  }

  @Test
  void firstNodeThatCanReadBecomesTheReader() {
    assertThat(register("reading", "blind", false))
        .isEqualTo(new LiveNodes(1, Optional.empty(), false));
    assertThat(register("reading", "one", true))
        .isEqualTo(new LiveNodes(2, Optional.of("one"), true));
    assertThat(register("reading", "two", true)).isEqualTo(live(3, "one"));
    assertThat(register("reading", "blind", false)).isEqualTo(live(3, "one"));
  }

  @Test
  void readerStaysTheReaderAndIsNewOnce() {
    assertThat(register("staying", "one", true).newReader()).isTrue();
    register("staying", "two", true);
    for (int i = 0; i < 3; i++) {
      assertThat(register("staying", "one", true)).isEqualTo(live(2, "one"));
      assertThat(register("staying", "two", true)).isEqualTo(live(2, "one"));
    }
  }

  @Test
  void readerThatCannotReadAnyMoreIsReplaced() {
    register("replaced", "one", true);
    register("replaced", "two", true);
    assertThat(register("replaced", "one", false))
        .isEqualTo(new LiveNodes(2, Optional.empty(), false));
    assertThat(register("replaced", "two", true))
        .isEqualTo(new LiveNodes(2, Optional.of("two"), true));
    assertThat(register("replaced", "one", true)).isEqualTo(live(2, "two"));
  }

  @Test
  void readerThatLeavesIsReplaced() {
    register("left", "one", true);
    register("left", "two", true);
    assertThat(register("left", "one", Duration.ZERO, true))
        .isEqualTo(new LiveNodes(1, Optional.empty(), false));
    assertThat(register("left", "two", true)).isEqualTo(new LiveNodes(1, Optional.of("two"), true));
    register("left", "two", Duration.ZERO, false);
    assertThat(register("left", "one", true)).isEqualTo(new LiveNodes(1, Optional.of("one"), true));
  }

  @Test
  void nodesThatLeaveOrCannotReadDoNotEndTheReader() {
    register("undisturbed", "one", true);
    assertThat(register("undisturbed", "two", false)).isEqualTo(live(2, "one"));
    assertThat(register("undisturbed", "two", Duration.ZERO, true)).isEqualTo(live(1, "one"));
    assertThat(register("undisturbed", "two", Duration.ZERO, false)).isEqualTo(live(1, "one"));
    assertThat(register("undisturbed", "one", true)).isEqualTo(live(1, "one"));
  }

  @Test
  void nodeThatLeavesDoesNotBecomeTheReader() {
    assertThat(register("leaving at once", "one", Duration.ZERO, true))
        .isEqualTo(new LiveNodes(0, Optional.empty(), false));
    assertThat(register("leaving at once", "two", true).newReader()).isTrue();
  }

  @Test
  void regionsHaveTheirOwnReaders() {
    List<String> regions = List.of("r", "R", "r:s", "r%3as", "{r}", "r}", "日本", "r ");
    for (int i = 0; i < regions.size(); i++) {
      String node = "node " + i + ": 😀";
      assertThat(register(regions.get(i), node, true))
          .as(regions.get(i))
          .isEqualTo(new LiveNodes(1, Optional.of(node), true));
    }
  }

  @Test
  void concurrentRegistrationsAgreeOnOneReader() {
    List<CompletableFuture<LiveNodes>> answers = IntStream.range(0, 50)
        .mapToObj(i -> CompletableFuture.supplyAsync(() -> register("rush", "node_" + i, true)))
        .toList();
    List<LiveNodes> live = answers.stream().map(CompletableFuture::join).toList();
    assertThat(live.stream().map(LiveNodes::reader).distinct()).hasSize(1);
    assertThat(live.stream().filter(LiveNodes::newReader)).hasSize(1);
  }

  @Test
  void registeredNodesOfARegionAreCounted() {
    Duration minute = Duration.ofMinutes(1);
    assertThat(register("nodes", "one", minute)).isEqualTo(1);
    assertThat(register("nodes", "two", minute)).isEqualTo(2);
    assertThat(register("nodes", "one", minute)).isEqualTo(2);
    assertThat(register("other nodes", "one", minute)).isEqualTo(1);
    assertThat(register("nodes", "{two}:", minute)).isEqualTo(3);
  }

  @Test
  void nodeWithLifetimeZeroIsRemoved() {
    Duration minute = Duration.ofMinutes(1);
    register("leaving", "one", minute);
    register("leaving", "two", minute);
    assertThat(register("leaving", "one", Duration.ZERO)).isEqualTo(1);
    assertThat(register("leaving", "never registered", Duration.ZERO)).isEqualTo(1);
    assertThat(register("leaving", "two", Duration.ZERO)).isZero();
  }

  private String identify(String region, String candidate) {
    return origin()
        .identify(region, candidate)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join()
        .orElseThrow();
  }

  @Test
  void firstIdentityOfARegionWins() {
    assertThat(identify("ap", "one")).isEqualTo("one");
    assertThat(identify("ap", "two")).isEqualTo("one");
    assertThat(identify("ap", "one")).isEqualTo("one");
    assertThat(identify("sa", "two")).isEqualTo("two");
  }

  @Test
  void regionsWithUnusualNamesHaveTheirOwnIdentities() {
    List<String> regions = List.of("a:b", "{a}", "a}", "a%3ab", " ", "\ud83d", "\ude00", "日本");
    for (int i = 0; i < regions.size(); i++) {
      assertThat(identify(regions.get(i), "id_" + i)).isEqualTo("id_" + i);
    }
  }

  @Test
  void concurrentCallsAgreeOnOneIdentity() {
    List<CompletableFuture<String>> answers = IntStream.range(0, 50)
        .mapToObj(i -> CompletableFuture.supplyAsync(() -> identify("race", "id_" + i)))
        .toList();
    assertThat(answers.stream().map(CompletableFuture::join).distinct()).hasSize(1);
  }
}
