package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog in a file that cannot grow. */
class FullDiskTest {

  /** 150 KB: an empty catalog and some hundred edits. */
  private static final int BLOCKS = 300;

  @TempDir
  private Path directory;

  private Catalog open() {
    return Catalog.open(Catalog.urlOfFile(directory), null, null, true);
  }

  /** Reads versions until an edit fails. */
  private static String failure(CatalogProcess process, long began) throws InterruptedException {
    String line = process.line();
    for (long version = began; line.matches("[0-9]+"); line = process.line()) {
      assertThat(Long.parseLong(line)).isGreaterThan(version);
      version = Long.parseLong(line);
    }
    return line;
  }

  @Test
  void editFailsWithAdviceAndNothingIsLost() throws Exception {
    String kept;
    try (CatalogProcess first = CatalogProcess.filling(directory, BLOCKS)) {
      assertThat(first.line()).isEqualTo("0");
      assertThat(failure(first, 0))
          .startsWith("cannot write the catalog in " + directory.resolve("catalog") + " (")
          .contains("disk I/O error")
          .contains("the change failed, earlier changes are kept")
          .contains("free space there");
      kept = first.line(); // reads still work
      assertThat(first.exitCode()).isZero();
    }
    assertThat(Integer.parseInt(kept)).isPositive();
    try (CatalogProcess second = CatalogProcess.filling(directory, BLOCKS)) {
      String version = second.line(); // starts although the disk is still full
      assertThat(Long.parseLong(version)).isGreaterThan(Long.parseLong(kept));
      assertThat(failure(second, Long.parseLong(version))).startsWith("cannot write the catalog");
      assertThat(Integer.parseInt(second.line())).isGreaterThanOrEqualTo(Integer.parseInt(kept));
      assertThat(second.exitCode()).isZero();
    }
    checkEditsWork(Integer.parseInt(kept));
  }

  @Test
  void processKilledOnAFullDiskLosesNothing() throws Exception {
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

  /** Opens the catalog without the size limit, as after space was freed. */
  private void checkEditsWork(int kept) throws SQLException {
    try (Catalog catalog = open()) {
      assertThat(catalog.changesSince(0).overrides()).hasSizeGreaterThanOrEqualTo(kept);
      long before = catalog.version();
      assertThat(catalog.createWorkspace("created later", null).version()).isEqualTo(before + 1);
    }
  }
}
