package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog in a file that several processes use at once, some of which are killed. */
class SharedFileTest {

  @TempDir
  private Path parent;

  private Path directory() {
    return parent.resolve("data");
  }

  private Catalog open() {
    return Catalog.open(Catalog.urlOfFile(directory()), null, null, true);
  }

  private static long overrides(Catalog catalog) throws SQLException {
    return catalog.changesSince(0).overrides().size();
  }

  private static void skipTo(CatalogProcess process, long version) throws InterruptedException {
    while (Long.parseLong(process.line()) < version) {}
  }

  /** As when a key is created from the command line while the server runs. */
  @Test
  void anotherProcessMayEdit() throws Exception {
    try (Catalog catalog = open()) {
      catalog.createFirst(Set.of("*"));
      try (CatalogProcess other = CatalogProcess.creatingAKey(directory())) {
        String id = other.line();
        assertThat(catalog.changesSince(1).keys())
            .singleElement()
            .satisfies(key -> assertThat(key.id()).isEqualTo(id));
        assertThat(other.exitCode()).isZero();
      }
      assertThat(catalog.createFirst(Set.of("*"))).isEmpty();
    }
  }

  @Test
  void processesThatStartTogetherCreateOneCatalog() throws Exception {
    List<CatalogProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        processes.add(CatalogProcess.creatingTheFirst(directory()));
      }
      List<String> created = new ArrayList<>();
      for (CatalogProcess process : processes) {
        created.add(process.line());
      }
      assertThat(created).containsExactlyInAnyOrder("true", "false", "false", "false");
    } finally {
      processes.forEach(CatalogProcess::close);
    }
  }

  @Test
  void editsOfAKilledProcessAreComplete() throws Exception {
    try (CatalogProcess first = CatalogProcess.editing(directory())) {
      skipTo(first, 10);
      try (Catalog catalog = open()) {
        CatalogCopy copy = new CatalogCopy();
        copy.follow(catalog);
        skipTo(first, copy.version() + 20);
        copy.follow(catalog);
        first.kill();
        long printed = Long.parseLong(first.lastLine());
        copy.follow(catalog); // fails if the version is lower than before
        assertThat(copy.version()).isBetween(printed, printed + 1);
        CatalogCopy fresh = new CatalogCopy();
        fresh.follow(catalog);
        assertThat(copy.rows()).isEqualTo(fresh.rows());
        assertThat(overrides(catalog)).isEqualTo(copy.version() - 2); // no edit is incomplete
        catalog.createWorkspace("created later", null);
        try (CatalogProcess other = CatalogProcess.creatingAKey(directory())) {
          assertThat(other.line()).startsWith("key_");
        }
      }
    }
  }

  @Test
  void anotherProcessMayEnd() throws Exception {
    try (CatalogProcess first = CatalogProcess.editing(directory())) {
      skipTo(first, 10);
      try (Catalog catalog = open()) {
        assertThat(catalog.version()).isPositive();
        first.terminate();
        long printed = Long.parseLong(first.lastLine());
        assertThat(catalog.version()).isBetween(printed, printed + 1);
        assertThat(overrides(catalog)).isEqualTo(catalog.version() - 2);
        catalog.createWorkspace("created later", null);
      }
    }
  }

  @Test
  void killedProcessDoesNotBlockOthers() throws Exception {
    try (Catalog catalog = open()) {
      catalog.createFirst(Set.of("*"));
      for (int i = 0; i < 3; i++) {
        try (CatalogProcess other = CatalogProcess.editing(directory())) {
          skipTo(other, catalog.version() + 10);
          other.kill(); // probably during an edit
        }
        long before = catalog.version();
        catalog.createWorkspace("created later", null);
        assertThat(catalog.version()).isBetween(before + 1, before + 2);
      }
    }
  }

  @Test
  void fileOfAKilledProcessOpensAgain() throws Exception {
    List<Long> printed = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (CatalogProcess process = CatalogProcess.editing(directory())) {
        skipTo(process, i == 0 ? 20 : printed.get(0) + 20);
        process.kill();
        printed.add(Long.parseLong(process.lastLine()));
      }
    }
    try (Catalog catalog = open()) {
      assertThat(catalog.version()).isBetween(printed.get(1), printed.get(1) + 1);
      assertThat(overrides(catalog)).isBetween(catalog.version() - 5, catalog.version() - 4);
    }
  }

  @Test
  void editsWaitForABlockedEditUpToATimeoutAndReadsDoNot() throws Exception {
    try (Catalog catalog = open();
        Connection blocking = DriverManager.getConnection(Catalog.urlOfFile(directory()));
        Statement statement = blocking.createStatement()) {
      Workspace workspace = catalog.createWorkspace("acme", null);
      statement.execute("BEGIN IMMEDIATE");
      long beganNanos = System.nanoTime();
      assertThatThrownBy(() -> catalog.createNamespace(workspace.id(), "login", "key_1"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("locked by another process")
          .hasMessageContaining(directory().toString());
      assertThat(Duration.ofNanos(System.nanoTime() - beganNanos))
          .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(20));
      assertThat(catalog.version()).isEqualTo(1);
      statement.execute("ROLLBACK");
      assertThat(catalog.createNamespace(workspace.id(), "login", "key_1").version())
          .isEqualTo(2);
    }
  }

  /** Write access to the file is enough to create keys. */
  @Test
  void directoryIsAccessibleToThisUserOnly() throws Exception {
    Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxr-xr-x");
    Path own = directory().resolve("catalog");
    Files.createDirectories(own, PosixFilePermissions.asFileAttribute(open));
    Files.setPosixFilePermissions(own, open); // independent of the umask
    try (Catalog catalog = open()) {
      catalog.version();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
  }

  @Test
  void closingLeavesOneFile() throws Exception {
    try (Catalog catalog = open()) {
      catalog.createWorkspace("acme", null);
    }
    assertThat(files()).containsExactly("catalog.db");
    try (Catalog catalog = open()) {
      assertThat(catalog.version()).isEqualTo(1);
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory().resolve("catalog"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void interruptedCallDoesNotAffectOthers() throws Exception {
    try (Catalog catalog = open()) {
      Workspace workspace = catalog.createWorkspace("acme", null);
      List<String> failures = new CopyOnWriteArrayList<>();
      Thread interrupted = new Thread(() -> {
        for (int i = 0; i < 200; i++) {
          try {
            catalog.createNamespace(workspace.id(), "login " + i, "key_1");
          } catch (SQLException e) {
            failures.add(e.toString());
          }
        }
      });
      interrupted.start();
      while (interrupted.isAlive()) {
        interrupted.interrupt();
        catalog.version();
      }
      assertThat(failures).allMatch(failure -> failure.contains("nterrupted"));
    }
  }

  /** Starting with an empty catalog would reject every key that clients have. */
  @Test
  void catalogOfAnOlderVersionIsNotIgnored() throws Exception {
    Path old = directory().resolve("catalog").resolve("catalog.mv.db");
    Files.createDirectories(old.getParent());
    Files.writeString(old, "H2");
    assertThat(Catalog.isIn(directory())).isTrue();
    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot read " + old)
        .hasMessageContaining("move it away");
    Files.delete(old);
    open().close();
  }

  @Test
  void invalidUrlsAreRejectedWithoutShowingThePassword() {
    assertThatThrownBy(() -> Catalog.open("jdbc:h2:mem:;PASSWORD=secret", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no JDBC driver accepts this URL")
        .hasMessageEndingWith(": jdbc:h2:mem:...");
    assertThatThrownBy(() -> Catalog.open("jdbc:mysql://me:secret@host/db", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(": jdbc:mysql://...");
    assertThatThrownBy(() -> Catalog.urlOfFile(Path.of("/a?b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the directory must not contain a question mark: /a?b/catalog/catalog.db");
    assertThatThrownBy(() -> Catalog.open("jdbc:sqlite:/dev/null/x/catalog", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot create the directory of the catalog: ");
  }
}
