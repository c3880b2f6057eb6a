package io.tidegate.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rules of the server's rooms: who may know whom. */
class ServerArchitectureTest {

  private final JavaClasses server = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.tidegate.server");

  @Test
  void roomsKnowOnlyWhatTheyStandOn() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("root")
        .definedBy("io.tidegate.server")
        .layer("command")
        .definedBy("io.tidegate.server.command")
        .layer("config")
        .definedBy("io.tidegate.server.config")
        .layer("api")
        .definedBy("io.tidegate.server.api")
        .layer("http")
        .definedBy("io.tidegate.server.http")
        .layer("catalog")
        .definedBy("io.tidegate.server.catalog")
        .layer("observe")
        .definedBy("io.tidegate.server.observe")
        .whereLayer("root")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("command")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("config")
        .mayOnlyBeAccessedByLayers("root", "command")
        .whereLayer("api")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("root", "api")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers("root", "api", "command")
        .whereLayer("observe")
        .mayOnlyBeAccessedByLayers("root", "api", "http")
        .check(server);
  }

  @Test
  void onlyOneClassKnowsTheAdapters() {
    noClasses()
        .that()
        .doNotHaveSimpleName("Adapters")
        .and()
        .doNotHaveSimpleName("CleanupCommand") // works on the table alone, without a limiter
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.tidegate.redis")
        .orShould()
        .dependOnClassesThat()
        .haveSimpleName("JdbcGlobalCounters")
        .check(server);
  }

  @Test
  void theApiSeesNoRecordsOfTheDatabase() {
    noClasses()
        .that()
        .resideInAPackage("io.tidegate.server.api")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.tidegate.catalog")
        .check(server);
  }

  @Test
  void onlyTheProgramReadsItsEnvironment() {
    noClasses()
        .that()
        .doNotHaveSimpleName("Main")
        .should()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .check(server);
  }
}
