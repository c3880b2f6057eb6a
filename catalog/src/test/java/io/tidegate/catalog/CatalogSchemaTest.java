package io.tidegate.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CatalogSchemaTest {

  @Test
  void checkedVersionIsThatOfTheNewestMigration() throws URISyntaxException {
    File folder = new File(
        Objects.requireNonNull(CatalogSchema.class.getResource("migration")).toURI());
    assertThat(Stream.of(Objects.requireNonNull(folder.list())))
        .allMatch(name -> name.matches("V[0-9]+__.*\\.sql"))
        .extracting(name -> Integer.valueOf(name.replaceAll("V([0-9]+)__.*", "$1")))
        .contains(CatalogSchema.VERSION)
        .allMatch(version -> version <= CatalogSchema.VERSION);
  }
}
