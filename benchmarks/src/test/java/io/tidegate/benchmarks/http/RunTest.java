package io.tidegate.benchmarks.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.http.Results.Load;
import io.tidegate.benchmarks.http.Results.Memory;
import io.tidegate.benchmarks.http.ServerProcess.Kind;
import io.tidegate.benchmarks.load.HttpRequests;
import io.tidegate.benchmarks.load.Scenario;
import io.tidegate.benchmarks.load.TidegateProcess.Address;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small runs with real servers. */
class RunTest {

  private static final Settings TINY =
      new Settings(true, false, 1, List.of(2), 300, 50, 200, 100_000);

  @Test
  void everyScenarioIsMeasuredForBothServers() throws IOException {
    Results results = new Run(TINY, List.of()).run();
    assertThat(results.loads().rows())
        .hasSize(2 * (2 + 3))
        .allSatisfy(load -> assertThat(load.perSecond()).isPositive())
        .allSatisfy(load -> assertThat(load.outcome().cpuSeconds()).isPositive());
    assertThat(results.memories()).extracting(Memory::server).containsExactly(Kind.values());
    assertThat(results.memories().get(0).after().series())
        .as("the hot key is one of them")
        .isEqualTo(100_000);
    assertThat(results.memories().get(0).bytesPerSeries()).isPositive();
  }

  @Test
  void aPeerIsMeasuredInTheSameRounds() throws IOException {
    try (ServerProcess peer = new ServerProcess(Kind.CONSTANT, 1)) {
      HttpRequests requests = HttpRequests.limits(peer.address, 1);
      Contender other = new Contender("peer", "http://127.0.0.1", requests, List.of());
      Results results = new Run(TINY, List.of(other)).run();
      List<Load> loads =
          results.loads().where(load -> load.server().equals("peer")).rows();
      assertThat(loads)
          .extracting(Load::scenario)
          .contains(Scenario.closed(2, 1), Scenario.closed(2, 100_000));
      assertThat(loads)
          .allSatisfy(load -> assertThat(load.perSecond()).isPositive())
          .allSatisfy(
              load -> assertThat(load.serverSeconds()).as("unknown process").isNaN());
      assertThat(results.memories()).hasSize(2);
    }
  }

  @Test
  void theConstantResemblesAnAnswerOfTidegate() throws IOException, InterruptedException {
    HttpResponse<String> real = answerOf(Kind.TIDEGATE);
    HttpResponse<String> constant = answerOf(Kind.CONSTANT);
    assertThat(constant.body()).isEqualTo(ConstantServer.ANSWER).hasSameSizeAs(real.body());
    assertThat(constant.headers()).isEqualTo(real.headers());
    assertThat(real.body()).contains("\"success\":true").contains("\"remaining\":999999999");
  }

  private static HttpResponse<String> answerOf(Kind server)
      throws IOException, InterruptedException {
    try (ServerProcess process = new ServerProcess(server, 1)) {
      Address address = process.address;
      HttpRequest request = HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + address.port() + "/v2/ratelimit.limit"))
          .header("Authorization", "Bearer " + address.secret())
          .header("Content-Type", "application/json")
          .POST(
              BodyPublishers.ofString(
                  "{\"namespace\":\"bench\",\"identifier\":\"user_000042\",\"limit\":1000000000,\"duration\":60000}"))
          .build();
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .build()
          .send(request, BodyHandlers.ofString());
    }
  }

  @Test
  void aFailedProcessReportsItsError() {
    assertThatThrownBy(() -> new ServerProcess(Kind.CONSTANT, -7))
        .hasMessageContaining("the server failed")
        .hasMessageContaining("IllegalArgumentException");
  }
}
