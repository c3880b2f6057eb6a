package io.tidegate;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.tidegate.spi.GlobalCounters;
import io.tidegate.spi.RegionalOrigin;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The rules between the packages of core. */
class ArchitectureTest {

  private final JavaClasses core = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages("io.tidegate");

  @Test
  void layersDependTowardsTheModel() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .layer("root")
        .definedBy("io.tidegate")
        .layer("regional")
        .definedBy("io.tidegate.regional")
        .layer("global")
        .definedBy("io.tidegate.global")
        .layer("local")
        .definedBy("io.tidegate.local")
        .layer("runtime")
        .definedBy("io.tidegate.runtime")
        .layer("testing")
        .definedBy("io.tidegate.testing")
        .layer("spi")
        .definedBy("io.tidegate.spi")
        .layer("model")
        .definedBy("io.tidegate.model")
        .whereLayer("root")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("regional")
        .mayOnlyBeAccessedByLayers("root", "global")
        .whereLayer("global")
        .mayOnlyBeAccessedByLayers("root")
        .whereLayer("local")
        .mayOnlyBeAccessedByLayers("root", "regional", "global")
        .whereLayer("runtime")
        .mayOnlyBeAccessedByLayers("root", "regional", "global")
        .whereLayer("testing")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("spi")
        .mayOnlyBeAccessedByLayers("root", "regional", "global", "runtime", "testing")
        .whereLayer("model")
        .mayOnlyBeAccessedByLayers("root", "regional", "global", "local", "spi", "testing")
        .check(core);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("io.tidegate.(*)..").should().beFreeOfCycles().check(core);
  }

  @Test
  void modelAndLocalArePure() {
    noClasses()
        .that()
        .resideInAnyPackage("io.tidegate.model", "io.tidegate.local")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(InstantSource.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(CompletionStage.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executor.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(System.Logger.class)
        .because(
            "time arrives as a parameter, and values, arithmetic and atomics need nothing else")
        .check(core);
  }

  @Test
  void onlyTheSystemSchedulerStartsAThread() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.tidegate.runtime.SystemScheduler")
        .should()
        .callConstructor(Thread.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Executor.class)
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .because("the host of a limiter decides which threads it uses")
        .check(core);
  }

  @Test
  void noClassReadsRealTimeOrUsesUnseededRandomness() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.tidegate.spi.Scheduler") // its default for hosts
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(java.time.Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocalRandom.class)
        .because("the simulator runs this code under its own time and its own seed")
        .check(core);
  }

  @Test
  void noClassDoesInputOrOutput() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.io..", "java.net..", "java.nio..", "java.sql..")
        .check(core);
  }

  @Test
  void onlyCountersOfASeriesChangeACount() {
    noClasses()
        .that()
        .doNotHaveSimpleName("SeriesCounter")
        .and()
        .doNotHaveSimpleName("QueuedCounter")
        .and()
        .doNotHaveSimpleName("CounterTable") // the heads of its chains, which are no counts
        .should()
        .dependOnClassesThat()
        .areAssignableTo(java.lang.invoke.VarHandle.class)
        .because("a count changes only together with the state word of its counter")
        .check(core);
  }

  @Test
  void originIsCalledUnderItsGuardOnly() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.tidegate.regional.GuardedOrigin")
        .and()
        .resideOutsideOfPackage("io.tidegate.testing") // its in-memory origin
        .should()
        .callMethodWhere(target(owner(assignableTo(RegionalOrigin.class))))
        .because("a call may block, throw or never complete")
        .check(core);
  }

  @Test
  void globalCountersAreCalledUnderTheirGuardOnly() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.tidegate.global.GuardedGlobalCounters")
        .and()
        .resideOutsideOfPackage("io.tidegate.testing") // its in-memory global counters
        .should()
        .callMethodWhere(target(owner(assignableTo(GlobalCounters.class))))
        .because("a call may block, throw or never complete")
        .check(core);
  }

  @Test
  void classNamesHaveNoEmptySuffix() {
    classes()
        .should()
        .haveSimpleNameNotEndingWith("Impl")
        .andShould()
        .haveSimpleNameNotEndingWith("Base")
        .andShould()
        .haveSimpleNameNotEndingWith("Manager")
        .andShould()
        .haveSimpleNameNotEndingWith("Helper")
        .andShould()
        .haveSimpleNameNotEndingWith("Util")
        .andShould()
        .haveSimpleNameNotEndingWith("Utils")
        .check(core);
  }
}
