package io.tidegate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.benchmarks.HttpFigures.Memory;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Small runs with real servers: that what is measured goes on at all. */
class HttpRunTest {

  private static final HttpSettings TINY = new HttpSettings(
      true, false, 1, List.of(2), List.of(1, 100), List.of(50), 300, 50, 200, 2_000);

  @Test
  void everyScenarioIsMeasuredForBoth() {
    HttpFigures figures = new HttpRun(TINY, new PrintStream(OutputStream.nullOutputStream())).run();
    assertThat(figures.loads())
        .hasSize(2 * (2 + 1))
        .allSatisfy(load -> assertThat(load.perSecond()).isPositive())
        .allSatisfy(load -> assertThat(load.outcome().cpuSeconds()).isPositive());
    assertThat(figures.memories())
        .extracting(Memory::contender)
        .containsExactly(HttpContender.values());
    assertThat(figures.memories().get(0).after().series())
        .as("the hot key is one of them")
        .isEqualTo(2_000);
    assertThat(figures.memories().get(0).bytesPerSeries()).isPositive();
  }

  @Test
  void theConstantIsLikeAnAnswerOfTidegate() throws IOException, InterruptedException {
    HttpResponse<String> real = answerOf(HttpContender.TIDEGATE);
    HttpResponse<String> constant = answerOf(HttpContender.CONSTANT);
    assertThat(constant.body()).isEqualTo(HttpConstant.ANSWER).hasSameSizeAs(real.body());
    assertThat(constant.headers()).isEqualTo(real.headers());
    assertThat(real.body()).contains("\"success\":true").contains("\"remaining\":999999999");
  }

  private static HttpResponse<String> answerOf(HttpContender contender)
      throws IOException, InterruptedException {
    try (HttpProcess process =
        HttpProcess.start(HttpNode.class, HttpProcess.ANYWHERE, contender.name(), "1")) {
      HttpNode.Address address = process.hear(HttpNode.Address.class);
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
  void aProcessThatFailsSaysWhy() {
    try (HttpProcess process =
        HttpProcess.start(HttpNode.class, HttpProcess.ANYWHERE, "NOBODY", "1")) {
      assertThatThrownBy(() -> process.hear(HttpNode.Address.class))
          .hasMessageContaining("HttpNode failed")
          .hasMessageContaining("NOBODY");
    }
  }

  @Test
  void helpSaysHowToCallIt() {
    StringWriter output = new StringWriter();
    CommandLine bench = Main.commandLine().setOut(new PrintWriter(output));
    assertThat(bench.execute("http", "--help")).isZero();
    assertThat(output.toString())
        .contains("tidegate bench http", "--quick", "--json", "--rounds", "--pin");
  }

  @Test
  void badValuesAreNamed() {
    StringWriter errors = new StringWriter();
    CommandLine bench = Main.commandLine().setErr(new PrintWriter(errors));
    assertThat(bench.execute("http", "--rounds", "0")).isEqualTo(2);
    assertThat(errors.toString()).contains("--rounds must be between 1 and 100: 0");
  }
}
