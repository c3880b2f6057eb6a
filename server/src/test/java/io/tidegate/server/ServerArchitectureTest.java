package io.tidegate.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The dependencies that are allowed between the packages of the server. */
class ServerArchitectureTest {

  private final JavaClasses server = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.tidegate.server");

  @Test
  void packagesDependOnLowerLayersOnly() {
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
        .layer("gateway")
        .definedBy("io.tidegate.server.gateway")
        .layer("http")
        .definedBy("io.tidegate.server.http")
        .layer("service")
        .definedBy("io.tidegate.server.service")
        .layer("catalog")
        .definedBy("io.tidegate.server.catalog")
        .layer("rules")
        .definedBy("io.tidegate.server.rules")
        .layer("observe")
        .definedBy("io.tidegate.server.observe")
        .layer("activity")
        .definedBy("io.tidegate.server.activity")
        .layer("fleet")
        .definedBy("io.tidegate.server.fleet")
        .layer("console")
        .definedBy("io.tidegate.server.console")
        .whereLayer("root")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("command")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("config")
        .mayOnlyBeAccessedByLayers("root", "command", "rules")
        .whereLayer("api") // the console translates refusals as the API does
        .mayOnlyBeAccessedByLayers("root", "console")
        .whereLayer("gateway")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("http")
        .mayOnlyBeAccessedByLayers("root", "api", "gateway", "console")
        .whereLayer("service") // fronts, each in a package of its own, and what observes services
        .mayOnlyBeAccessedByLayers("root", "api", "gateway", "console", "observe")
        .whereLayer("catalog")
        .mayOnlyBeAccessedByLayers("root", "service", "command")
        .whereLayer("rules")
        .mayOnlyBeAccessedByLayers("root", "command")
        .whereLayer("observe")
        .mayOnlyBeAccessedByLayers("root", "api", "gateway", "http", "fleet", "console")
        .whereLayer("activity")
        .mayOnlyBeAccessedByLayers("root", "service", "fleet", "console")
        .whereLayer("fleet")
        .mayOnlyBeAccessedByLayers("root", "console")
        .whereLayer("console")
        .mayOnlyBeAccessedByLayers("root")
        .check(server);
  }

  /** So that another front needs nothing but a package of its own. */
  @Test
  void servicesAreIndependentOfTheTransport() {
    noClasses()
        .that()
        .resideInAPackage("io.tidegate.server.service")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.vertx..",
            "io.netty..",
            "io.grpc..",
            "com.fasterxml.jackson..",
            "java.net..",
            "io.tidegate.server.http..",
            "io.tidegate.server.api..",
            "io.tidegate.server.gateway..",
            "io.tidegate.server.console..",
            "io.tidegate.server.observe..")
        .check(server);
  }

  @Test
  void frontsDoNotUseTheCatalog() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.tidegate.server.api",
            "io.tidegate.server.gateway",
            "io.tidegate.server.console",
            "io.tidegate.server.http")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.tidegate.catalog..", "io.tidegate.server.catalog..", "java.sql..")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("io.tidegate.RateLimiter")
        .check(server);
  }

  @Test
  void endpointsDoNotDependOnMetrics() {
    noClasses()
        .that()
        .haveSimpleName("Endpoint")
        .or()
        .haveSimpleName("AnswerMeter")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.tidegate.server.observe..")
        .check(server);
  }

  @Test
  void onlyAdaptersNamesTheAdapters() {
    noClasses()
        .that()
        .doNotHaveSimpleName("Adapters")
        .and()
        .doNotHaveSimpleName(
            "CleanupCommand") // uses the table of global counters without a limiter
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.tidegate.redis", "io.lettuce..")
        .orShould()
        .dependOnClassesThat()
        .haveSimpleName("JdbcGlobalCounters")
        .check(server);
  }

  @Test
  void onlyTheLogPackageUsesLogback() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.tidegate.server.log")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("ch.qos.logback..")
        .check(server);
  }

  @Test
  void onlyMainReadsTheEnvironment() {
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
