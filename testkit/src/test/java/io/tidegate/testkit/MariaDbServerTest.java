package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MariaDbServerTest {

  @Test
  void answersAndRemembers() {
    try (MariaDbServer server = MariaDbServer.start()) {
      server.execute("CREATE TABLE texts (id INT PRIMARY KEY, text VARCHAR(20))");
      server.execute("INSERT INTO texts VALUES (1, 'värde'), (2, NULL)");
      assertThat(server.query("SELECT id, text FROM texts ORDER BY id"))
          .containsExactly(List.of("1", "värde"), Arrays.asList("2", null));
      assertThat(server.query("SELECT 1 FROM texts WHERE id = 3")).isEmpty();
    }
  }

  @Test
  void isOfTheKnownVersionUnlessAnotherIsNamed() {
    boolean named = System.getProperty("tidegate.mariadb.binary") != null
        || System.getenv("TIDEGATE_MARIADB_BINARY") != null;
    try (MariaDbServer server = MariaDbServer.start()) {
      assertThat(server.query("SELECT VERSION()").get(0).get(0))
          .contains(named ? "." : "11.4.5-MariaDB");
    }
  }
}
