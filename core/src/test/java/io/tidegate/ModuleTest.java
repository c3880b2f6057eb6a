package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applications on the module path, and jlink images, need only core and the JDK. */
class ModuleTest {

  @Test
  void requiresOnlyTheJdkAtRunTime() throws URISyntaxException {
    Path classes = Path.of(
        RateLimiter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor core =
        ModuleFinder.of(classes).find("io.tidegate.core").orElseThrow().descriptor();
    assertThat(core.isAutomatic()).isFalse();
    assertThat(core.requires())
        .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactly("java.base");
  }
}
