package io.tidegate.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.catalog.Catalog;
import io.tidegate.catalog.NewRootKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogFollowerTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final CatalogFollower.Listener IGNORING = new CatalogFollower.Listener() {
    @Override
    public void catalogRead(long version) {}

    @Override
    public void catalogFailed(Throwable failure) {}

    @Override
    public void firstKeyCreated(NewRootKey key) {}
  };

  @TempDir
  Path directory;

  private Catalog catalog;
  private CatalogFollower follower;
  private NewRootKey key;

  @BeforeEach
  void start() throws SQLException {
    catalog = Catalog.open(Catalog.urlOfFile(directory), null, null, true);
    key = catalog.createFirst(Permissions.all()).orElseThrow();
    follower = new CatalogFollower(
        Catalog.open(Catalog.urlOfFile(directory), null, null, true), null, IGNORING);
    follower.start();
    await(follower::isKnown);
  }

  @AfterEach
  void stop() {
    follower.close();
    catalog.close();
  }

  @Test
  void rowsThatARestoredBackupLacksAreRemoved() throws SQLException {
    NewRootKey later = catalog.createKey(key.key().workspaceId(), "later", Permissions.all());
    await(() -> find(later) != null);

    execute(
        "DELETE FROM root_keys WHERE id = '" + later.key().id() + "'",
        "UPDATE catalog_version SET version = version - 1");
    await(() -> find(later) == null);
    assertThat(find(key)).isNotNull();
  }

  @Test
  void namespaceCanBeCreatedAfterAnAttemptFailed() throws Exception {
    execute("ALTER TABLE catalog_version RENAME TO hidden");
    await(follower::isFailing);
    assertThat(follower.editor().createNamespace(find(key), "login")).isCompletedExceptionally();

    execute("ALTER TABLE hidden RENAME TO catalog_version");
    await(() -> !follower.isFailing());
    assertThat(follower
            .editor()
            .createNamespace(find(key), "login")
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .name())
        .isEqualTo("login");
  }

  private @Nullable Caller find(NewRootKey wanted) {
    try {
      return follower
          .directory()
          .find(MessageDigest.getInstance("SHA-256")
              .digest(wanted.secret().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private void execute(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(Catalog.urlOfFile(directory));
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.executeUpdate(sql);
      }
    }
  }

  /** The follower reads the catalog twice a second. */
  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time").isLessThan(deadline);
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
