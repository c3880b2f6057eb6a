package io.tidegate.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.TidegateProcess;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TrafficTest {

  /** A new identifier every ten requests, and a thousand at a time. */
  private final Traffic traffic = new Traffic(0.1, 1_000);

  @Test
  void allIdentifiersInUseComeUp() {
    Traffic steady = new Traffic(0, 1_000);
    assertThat(LongStream.range(0, 20_000)
            .map(request -> steady.applyAsLong(2 * request))
            .distinct()
            .count())
        .isEqualTo(1_000);
  }

  @Test
  void identifiersComeAndGo() {
    assertThat(identifiers(100_000, 100_010)).allMatch(key -> key >= 10_000 && key <= 11_001);
    assertThat(identifiers(200_000, 200_010)).allMatch(key -> key >= 20_000 && key <= 21_001);
  }

  @Test
  void identifiersAreUsedAboutEvenly() {
    Traffic steady = new Traffic(0, 10);
    for (long identifier = 0; identifier < 10; identifier++) {
      long wanted = identifier;
      assertThat(LongStream.range(0, 10_000)
              .map(request -> steady.applyAsLong(2 * request))
              .filter(key -> key == wanted)
              .count())
          .isBetween(800L, 1_200L);
    }
  }

  @Test
  void everyTenantTakesPart() {
    assertThat(LongStream.range(0, Settings.TENANTS)
            .map(request -> traffic.applyAsLong(2 * request + 1))
            .distinct()
            .count())
        .isEqualTo(Settings.TENANTS);
  }

  @Test
  void aRequestHasALimitOfBoth() {
    HttpRequests requests = Traffic.requests(new TidegateProcess.Address(1, 2, "secret"));
    assertThat(requests.text())
        .startsWith("POST /v2/ratelimit.multiLimit ")
        .contains("\"namespace\":\"identifiers\"", "\"duration\":60000}")
        .contains("\"namespace\":\"tenants\"", "\"duration\":2592000000}");
  }

  private LongStream identifiers(long from, long to) {
    return LongStream.range(from, to).map(request -> traffic.applyAsLong(2 * request));
  }
}
