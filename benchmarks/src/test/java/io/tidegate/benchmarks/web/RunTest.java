package io.tidegate.benchmarks.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.benchmarks.web.Results.Load;
import io.tidegate.report.Machine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Small runs with real applications. */
class RunTest {

  private static final Settings TINY = new Settings(true, false, 1, List.of(2), 300, 50, 200);

  @Test
  void everyScenarioIsMeasuredForAllApplications() throws IOException {
    Results results = new Run(TINY).run();
    assertThat(results.loads().rows())
        .as("one hot key for all, many keys for all but resilience4j")
        .hasSize(4 + 3)
        .allSatisfy(load -> assertThat(load.perSecond()).isPositive())
        .allSatisfy(load -> assertThat(load.outcome().cpuSeconds()).isPositive())
        .extracting(Load::application)
        .contains(Application.values());
    assertThat(results.report(Machine.current()).markdown())
        .contains("| 2 connections, no limiter |", "| 2 connections, bucket4j's starter |");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "PLAIN")
  void theLimiterOfAnApplicationLimits(Application application)
      throws IOException, InterruptedException {
    try (ApplicationProcess process = new ApplicationProcess(application, 5)) {
      HttpRequest request = HttpRequest.newBuilder(
              URI.create("http://127.0.0.1:" + process.port + application.path))
          .header(ApplicationProcess.KEY_HEADER, "user_000042")
          .build();
      HttpClient client = HttpClient.newHttpClient();
      List<Integer> statuses = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        statuses.add(client.send(request, BodyHandlers.discarding()).statusCode());
      }
      assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429, 429);
    }
  }
}
