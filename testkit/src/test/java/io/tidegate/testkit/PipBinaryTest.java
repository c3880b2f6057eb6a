package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(200) // pip may wait for a network
class PipBinaryTest {

  @Test
  void propertyNamesTheProgram() {
    PipBinary binary =
        new PipBinary("tidegate.test.binary", "program", "tidegate-no-such-package", "1", "p");
    System.setProperty("tidegate.test.binary", "/opt/program");
    try {
      assertThat(binary.path()).isEqualTo(Path.of("/opt/program"));
    } finally {
      System.clearProperty("tidegate.test.binary");
    }
  }

  @Test
  void installedProgramIsUsedIfNoneCanBeFetched() {
    PipBinary binary =
        new PipBinary("tidegate.test.none", "sh", "tidegate-no-such-package", "1", "sh");
    assertThat(binary.path()).isExecutable().hasFileName("sh");
  }

  @Test
  void reasonIsReportedIfThereIsNone() {
    PipBinary binary = new PipBinary(
        "tidegate.test.none", "no-such-program", "tidegate-no-such-package", "1", "p");
    for (int i = 0; i < 2; i++) { // the second time from memory
      assertThatThrownBy(binary::path)
          .isInstanceOf(PipBinary.UnavailableException.class)
          .hasMessageStartingWith("no no-such-program for ")
          .hasMessageEndingWith("name it by the system property tidegate.test.none");
    }
  }
}
