package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A catalog in a file that several processes use at once, and end as they like. */
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

  /** Calls may fail while a process is gone and none has taken its place. */
  private static void awaitAnswer(Catalog catalog) {
    Waiting.await("an answer", () -> {
      try {
        catalog.version();
        return true;
      } catch (SQLException e) {
        return false;
      }
    });
  }

  private static void skipTo(CatalogProcess process, long version) throws InterruptedException {
    while (Long.parseLong(process.line()) < version) {}
  }

  /** As when a key is made from the command line while the server runs. */
  @Test
  void anotherProcessMayEditMeanwhile() throws Exception {
    try (Catalog catalog = open()) {
      catalog.createFirst(Set.of("*"));
      try (CatalogProcess other = CatalogProcess.makingAKey(directory())) {
        String id = other.line();
        assertThat(catalog.changesSince(1).keys())
            .singleElement()
            .satisfies(key -> assertThat(key.id()).isEqualTo(id));
        assertThat(other.exitCode()).isZero();
      }
      assertThat(catalog.createFirst(Set.of("*"))).isEmpty(); // and goes on when it has ended
    }
  }

  @Test
  void processesThatStartTogetherMakeOneCatalog() throws Exception {
    List<CatalogProcess> processes = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        processes.add(CatalogProcess.makingTheFirst(directory()));
      }
      List<String> made = new ArrayList<>();
      for (CatalogProcess process : processes) {
        made.add(process.line());
      }
      assertThat(made).containsExactlyInAnyOrder("true", "false", "false", "false");
    } finally {
      processes.forEach(CatalogProcess::close);
    }
  }

  @Test
  void processThatServedIsKilledAndAnotherGoesOn() throws Exception {
    try (CatalogProcess first = CatalogProcess.editing(directory())) {
      skipTo(first, 10);
      try (Catalog catalog = open()) {
        CatalogCopy copy = new CatalogCopy();
        copy.follow(catalog);
        skipTo(first, copy.version() + 20);
        copy.follow(catalog);
        first.kill();
        long said = Long.parseLong(first.lastLine());
        awaitAnswer(catalog);
        copy.follow(catalog); // which fails if a version was taken back
        assertThat(copy.version()).isBetween(said, said + 1);
        CatalogCopy fresh = new CatalogCopy();
        fresh.follow(catalog);
        assertThat(copy.things()).isEqualTo(fresh.things());
        assertThat(overrides(catalog)).isEqualTo(copy.version() - 2); // no edit is half done
        catalog.createWorkspace("made later", null);
        try (CatalogProcess other = CatalogProcess.makingAKey(directory())) {
          assertThat(other.line()).startsWith("key_"); // which this process serves now
        }
      }
    }
  }

  @Test
  void processThatServedEndsAndAnotherGoesOn() throws Exception {
    try (CatalogProcess first = CatalogProcess.editing(directory())) {
      skipTo(first, 10);
      try (Catalog catalog = open()) {
        assertThat(catalog.version()).isPositive();
        first.end();
        long said = Long.parseLong(first.lastLine());
        awaitAnswer(catalog);
        assertThat(catalog.version()).isBetween(said, said + 1);
        assertThat(overrides(catalog)).isEqualTo(catalog.version() - 2);
        catalog.createWorkspace("made later", null);
      }
    }
  }

  @Test
  void processThatIsServedIsKilledAndHoldsNobodyUp() throws Exception {
    try (Catalog catalog = open()) {
      catalog.createFirst(Set.of("*"));
      for (int i = 0; i < 3; i++) {
        try (CatalogProcess other = CatalogProcess.editing(directory())) {
          skipTo(other, catalog.version() + 10);
          other.kill(); // in the middle of an edit, as likely as not
        }
        long before = catalog.version();
        catalog.createWorkspace("made later", null);
        assertThat(catalog.version()).isBetween(before + 1, before + 2);
      }
    }
  }

  @Test
  void fileOfAProcessThatWasKilledOpensAgain() throws Exception {
    List<Long> said = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (CatalogProcess process = CatalogProcess.editing(directory())) {
        skipTo(process, i == 0 ? 20 : said.get(0) + 20);
        process.kill();
        said.add(Long.parseLong(process.lastLine()));
      }
    }
    try (Catalog catalog = open()) {
      assertThat(catalog.version()).isBetween(said.get(1), said.get(1) + 1);
      assertThat(overrides(catalog)).isBetween(catalog.version() - 5, catalog.version() - 4);
    }
  }

  @Test
  void isSharedOnThisMachineAlone() throws Exception {
    try (Catalog catalog = open()) {
      catalog.version();
      Properties lock = new Properties();
      try (Reader file = Files.newBufferedReader(directory().resolve("catalog/catalog.lock.db"))) {
        lock.load(file);
      }
      int port = Integer.parseInt(lock.getProperty("server").replaceFirst(".*:", ""));
      for (InetAddress address : addresses()) {
        assertThat(accepts(address, port))
            .as("%s", address)
            .isEqualTo(address.getHostAddress().equals("127.0.0.1"));
      }
    }
  }

  private static List<InetAddress> addresses() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .toList();
  }

  private static boolean accepts(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(address, port), (int) Duration.ofSeconds(5).toMillis());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whoever can read the lock file can connect. */
  @Test
  void directoryIsForThisUserAlone() throws Exception {
    Set<PosixFilePermission> open = PosixFilePermissions.fromString("rwxr-xr-x");
    Path own = directory().resolve("catalog");
    Files.createDirectories(own, PosixFilePermissions.asFileAttribute(open));
    Files.setPosixFilePermissions(own, open); // whatever the umask
    try (Catalog catalog = open()) {
      catalog.version();
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
        .isEqualTo("rwx------");
  }

  @Test
  void closingLeavesNoLock() throws Exception {
    try (Catalog catalog = open()) {
      catalog.version();
      assertThat(directory().resolve("catalog/catalog.lock.db")).exists();
    }
    assertThat(directory().resolve("catalog/catalog.lock.db")).doesNotExist();
    try (Catalog catalog = open()) {
      assertThat(catalog.version()).isZero();
    }
  }

  /** H2 closes a file that an interrupted thread reads or writes, unless it is told otherwise. */
  @Test
  void interruptedCallHarmsNoOther() throws Exception {
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
      assertThat(failures).allMatch(failure -> failure.contains("nterrupted")); // its own fault
    }
  }

  @Test
  void badUrlsAreRefusedWithoutShowingThePassword() {
    assertThatThrownBy(() -> Catalog.open("jdbc:h2:mem:;PASSWORD=secret", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("H2 takes a catalog, as jdbc:h2:file:path, and nothing else: jdbc:h2:mem:...");
    assertThatThrownBy(() -> Catalog.open("jdbc:mysql://me:secret@host/db", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith(": jdbc:mysql://...");
    assertThatThrownBy(() -> Catalog.urlOfFile(Path.of("a;b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the directory must have no semicolon: a;b");
    assertThatThrownBy(() -> Catalog.open("jdbc:h2:file:/dev/null/x/catalog", null, null, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("cannot make the directory of the catalog: ");
  }
}
