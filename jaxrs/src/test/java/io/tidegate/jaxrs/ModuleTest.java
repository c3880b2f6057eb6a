package io.tidegate.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applications need only the rules and a JAX-RS implementation. */
class ModuleTest {

  @Test
  void requiresOnlyTheRulesAndTheApi() throws URISyntaxException {
    Path classes = Path.of(RateLimitFeature.class
        .getProtectionDomain()
        .getCodeSource()
        .getLocation()
        .toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("io.tidegate.jaxrs").orElseThrow().descriptor();
    assertThat(module.requires())
        .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "io.tidegate.rules", "jakarta.ws.rs");
  }
}
