package io.tidegate.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applications that use rules need only core and the JDK. */
class ModuleTest {

  @Test
  void requiresOnlyCore() throws URISyntaxException {
    Path classes = Path.of(
        RuleSet.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor rules =
        ModuleFinder.of(classes).find("io.tidegate.rules").orElseThrow().descriptor();
    assertThat(rules.requires())
        .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "io.tidegate.core");
  }
}
