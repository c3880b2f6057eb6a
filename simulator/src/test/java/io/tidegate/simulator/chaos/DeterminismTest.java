package io.tidegate.simulator.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A seed determines a run on every machine. */
@ExtendWith(Quiet.class)
class DeterminismTest {

  private static final List<Long> SEEDS = List.of(3L, 28L, 224L);

  @Test
  void twoRunsOfASeedGiveTheSameTrace() {
    for (long seed : SEEDS) {
      assertThat(hash(seed)).isEqualTo(hash(seed));
    }
  }

  @Test
  void seedsGiveDifferentTraces() {
    assertThat(hash(1)).isNotEqualTo(hash(2));
  }

  /**
   * A machine on which all objects have the same identity hash and numbers are formatted
   * differently.
   */
  @Test
  void anotherJvmGivesTheSameTrace() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:hashCode=2",
            "-XX:TieredStopAtLevel=1",
            "-Duser.language=ar",
            "-Duser.country=EG",
            "-cp",
            System.getProperty("java.class.path"),
            DeterminismTest.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    assertThat(output.lines())
        .containsExactlyElementsOf(SEEDS.stream().map(DeterminismTest::hash).toList());
  }

  public static void main(String[] arguments) {
    new Quiet().beforeAll(null);
    SEEDS.forEach(seed -> System.out.println(hash(seed)));
  }

  private static String hash(long seed) {
    return ChaosRun.of(seed, null).hash();
  }
}
