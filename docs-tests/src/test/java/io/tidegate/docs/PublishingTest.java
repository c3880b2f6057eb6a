package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** The POMs of all modules: what is published is complete, and the rest is not published. */
class PublishingTest {

  private static final Path ROOT = Path.of("..");

  /** An element of a POM, with child elements by their path. */
  private record Xml(Element element) {

    static Xml read(Path pom) {
      try {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        return new Xml(factory.newDocumentBuilder().parse(pom.toFile()).getDocumentElement());
      } catch (Exception e) {
        throw new IllegalStateException("cannot read " + pom, e);
      }
    }

    /** The child elements with this path, such as {@code dependencies/dependency}. */
    Stream<Xml> all(String path) {
      String[] names = path.split("/", 2);
      List<Xml> children = new ArrayList<>();
      for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
        if (child instanceof Element found && found.getTagName().equals(names[0])) {
          children.add(new Xml(found));
        }
      }
      return names.length == 1
          ? children.stream()
          : children.stream().flatMap(child -> child.all(names[1]));
    }

    /** The text of the only element with this path, or an empty text. */
    String text(String path) {
      return all(path)
          .findFirst()
          .map(found -> found.element.getTextContent().strip())
          .orElse("");
    }
  }

  private record Module(String folder, Xml pom) {

    String artifact() {
      return pom.text("artifactId");
    }

    String version() {
      return pom.text("version").isEmpty() ? pom.text("parent/version") : pom.text("version");
    }

    boolean published() {
      boolean skipped = Stream.of("unpublished", "maven.deploy.skip")
          .anyMatch(property -> pom.text("properties/" + property).equals("true"));
      boolean applicationLike = pom.text("parent/artifactId").equals("tidegate-boot-parent")
          || pom.text("parent/groupId").equals("io.tidegate.benchmarks");
      return !skipped && !applicationLike;
    }
  }

  private final Xml parent = Xml.read(ROOT.resolve("pom.xml"));
  private final Xml bom = Xml.read(ROOT.resolve("bom/pom.xml"));
  private final List<Module> modules = modules("").toList();
  private final List<Module> published = modules.stream()
      .filter(Module::published)
      .filter(module -> !module.folder.equals("/bom"))
      .toList();

  private static Stream<Module> modules(String folder) {
    Xml pom = Xml.read(ROOT.resolve("." + folder + "/pom.xml"));
    return Stream.concat(pom.all("modules/module"), pom.all("profiles/profile/modules/module"))
        .map(module -> folder + "/" + module.element.getTextContent())
        .flatMap(inner -> Stream.concat(
            Stream.of(new Module(inner, Xml.read(ROOT.resolve("." + inner + "/pom.xml")))),
            modules(inner)));
  }

  @Test
  void theBomHasEveryPublishedModule() {
    List<String> managed = bom.all("dependencyManagement/dependencies/dependency")
        .map(dependency -> dependency.text("artifactId"))
        .toList();
    assertThat(published).hasSizeGreaterThan(3);
    assertThat(managed)
        .containsExactlyInAnyOrderElementsOf(
            published.stream().map(Module::artifact).toList());
  }

  /** The examples are applications of their own. */
  @Test
  void allModulesHaveTheSameVersion() {
    assertThat(modules)
        .filteredOn(module -> !module.folder.startsWith("/examples/"))
        .hasSizeGreaterThan(20)
        .allSatisfy(module ->
            assertThat(module.version()).as(module.folder).isEqualTo(parent.text("version")));
    assertThat(modules)
        .filteredOn(module -> module.folder.startsWith("/examples/"))
        .allSatisfy(module -> assertThat(module.pom.text("properties/tidegate.version"))
            .as(module.folder)
            .isEqualTo(parent.text("version")));
  }

  /** A parent would bring versions of other libraries, which applications choose themselves. */
  @Test
  void theBomHasNoParentAndManagesNothingElse() {
    assertThat(bom.all("parent")).isEmpty();
    assertThat(bom.all("dependencyManagement/dependencies/dependency")).allSatisfy(dependency -> {
      assertThat(dependency.text("groupId")).isEqualTo("io.tidegate");
      assertThat(dependency.text("version")).isEqualTo("${project.version}");
    });
  }

  @Test
  void theBomDescribesTheProjectLikeTheParent() {
    List<String> same = List.of(
        "groupId",
        "version",
        "url",
        "organization",
        "licenses",
        "developers",
        "scm",
        "properties/tidegate.url",
        "properties/tidegate.repository");
    assertThat(same)
        .allSatisfy(
            path -> assertThat(bom.text(path)).as(path).isNotEmpty().isEqualTo(parent.text(path)));
  }

  @Test
  void publishedModulesHaveANameAndADescription() {
    assertThat(published).allSatisfy(module -> {
      assertThat(module.pom.text("name")).startsWith("Tidegate ");
      assertThat(module.pom.text("description")).isNotEmpty().doesNotContain("not published");
    });
  }

  /** Tests may depend on anything: users do not resolve that. */
  @Test
  void publishedModulesDependOnPublishedModulesOnly() {
    List<String> available = published.stream().map(Module::artifact).toList();
    assertThat(published).allSatisfy(module -> {
      Stream<String> needed = module
          .pom
          .all("dependencies/dependency")
          .filter(dependency -> dependency.text("groupId").equals("io.tidegate"))
          .filter(dependency -> !dependency.text("scope").equals("test"))
          .map(dependency -> dependency.text("artifactId"));
      assertThat(needed).as(module.folder).isSubsetOf(available);
    });
  }

  @Test
  void publishedModulesHaveAModuleName() {
    assertThat(published).allSatisfy(module -> {
      Path descriptor = ROOT.resolve("." + module.folder + "/src/main/java/module-info.java");
      assertThat(Files.exists(descriptor) || manifestName(module).isPresent())
          .as("module-info.java or Automatic-Module-Name of " + module.folder)
          .isTrue();
    });
  }

  private static Optional<Xml> manifestName(Module module) {
    return module
        .pom
        .all("build/plugins/plugin/configuration/archive/manifestEntries/Automatic-Module-Name")
        .findFirst();
  }
}
