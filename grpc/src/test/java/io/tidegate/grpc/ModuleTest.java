package io.tidegate.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Applications need no protobuf library. */
class ModuleTest {

  @Test
  void requiresOnlyRulesAndGrpc() throws URISyntaxException {
    Path classes = Path.of(
        GrpcRules.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("io.tidegate.grpc").orElseThrow().descriptor();
    assertThat(module.requires())
        .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "io.tidegate.rules", "io.grpc");
  }
}
