package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchemaTest {

  @Test
  void newestMigrationIsTheOneThatIsCheckedFor() throws URISyntaxException {
    File folder =
        new File(Objects.requireNonNull(Schema.class.getResource("migration")).toURI());
    assertThat(Stream.of(Objects.requireNonNull(folder.list())))
        .allMatch(name -> name.matches("V[0-9]+__.*\\.sql"))
        .extracting(name -> Integer.valueOf(name.replaceAll("V([0-9]+)__.*", "$1")))
        .contains(Schema.VERSION)
        .allMatch(version -> version <= Schema.VERSION);
  }
}
