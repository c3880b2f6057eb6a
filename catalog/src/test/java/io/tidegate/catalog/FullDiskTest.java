package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog in a file that cannot grow any more. */
class FullDiskTest {

  /** Room for a catalog and a few dozen edits. */
  private static final int BLOCKS = 1_000;

  @TempDir
  private Path directory;

  private Catalog open() {
    return Catalog.open(Catalog.urlOfFile(directory), null, null, true);
  }

  /** Reads what the process says until it stops editing. */
  private static String failure(CatalogProcess process, long began) throws InterruptedException {
    String line = process.line();
    for (long version = began; line.matches("[0-9]+"); line = process.line()) {
      assertThat(Long.parseLong(line)).isGreaterThan(version);
      version = Long.parseLong(line);
    }
    return line;
  }

  @Test
  void editSaysWhatToDoAndNothingIsLost() throws Exception {
    String kept;
    try (CatalogProcess first = CatalogProcess.filling(directory, BLOCKS)) {
      assertThat(first.line()).isEqualTo("0");
      assertThat(failure(first, 0))
          .startsWith("no space left for the catalog in " + directory.resolve("catalog") + " (")
          .contains("File too large")
          .contains("the change failed, earlier changes are kept")
          .contains("free space there")
          .doesNotContain("h2", "MVStore");
      kept = first.line(); // it can be read all the same
      assertThat(first.exitCode()).isZero();
    }
    assertThat(Integer.parseInt(kept)).isPositive();
    try (CatalogProcess second = CatalogProcess.filling(directory, BLOCKS)) {
      String version = second.line(); // it starts again though nothing was freed
      assertThat(Long.parseLong(version)).isGreaterThan(Long.parseLong(kept));
      assertThat(failure(second, Long.parseLong(version))).startsWith("no space left");
      assertThat(Integer.parseInt(second.line())).isGreaterThanOrEqualTo(Integer.parseInt(kept));
      assertThat(second.exitCode()).isZero();
    }
    checkItGoesOn(Integer.parseInt(kept));
  }

  @Test
  void processThatIsKilledOnAFullDiskLosesNothing() throws Exception {
    String version;
    try (CatalogProcess first = CatalogProcess.filling(directory, BLOCKS)) {
      version = first.line();
      for (int i = 0; i < 10; i++) {
        version = first.line();
      }
      first.kill();
    }
    try (Catalog catalog = open()) {
      assertThat(catalog.version()).isGreaterThanOrEqualTo(Long.parseLong(version));
    }
  }

  /** With space, as if it had been freed. */
  private void checkItGoesOn(int kept) throws SQLException {
    try (Catalog catalog = open()) {
      assertThat(catalog.changesSince(0).overrides()).hasSizeGreaterThanOrEqualTo(kept);
      long before = catalog.version();
      assertThat(catalog.createWorkspace("made later", null).version()).isEqualTo(before + 1);
    }
  }
}
