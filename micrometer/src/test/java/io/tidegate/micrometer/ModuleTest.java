package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applications need no particular kind of registry. */
class ModuleTest {

  @Test
  void requiresOnlyCoreAndMicrometer() throws URISyntaxException {
    Path classes = Path.of(
        LimiterMetrics.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("io.tidegate.micrometer").orElseThrow().descriptor();
    assertThat(module.requires())
        .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "io.tidegate.core", "micrometer.core");
  }
}
