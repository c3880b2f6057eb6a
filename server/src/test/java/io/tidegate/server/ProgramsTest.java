package io.tidegate.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ProgramsTest {

  /** Otherwise the build would pass without the tests that need Envoy, for example. */
  @Test
  void theContinuousBuildSkipsNoTestForAMissingProgram() throws IOException {
    assertThat(Files.readString(Path.of("..", ".ci", "run")))
        .containsPattern("(?m)^mvn .*verify.* -D" + Programs.REQUIRED + "( |$)");
  }
}
